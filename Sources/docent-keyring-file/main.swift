import Keyring

// libsecret's encrypted file, for one request of the daemon. Apart, because libsecret takes the file's password from the
// environment of a process, and ends its process over a damaged file.
EncryptedFileProgram.main()
