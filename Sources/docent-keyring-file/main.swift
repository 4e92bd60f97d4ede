import Keyring

// Handles one request of the daemon with libsecret's encrypted file. It is a separate process, because libsecret takes
// the file's password from the environment of a process, and ends its process over a damaged file.
EncryptedFileProgram.main()
