#ifndef DOCENT_CCRYPTO_SHIM_H
#define DOCENT_CCRYPTO_SHIM_H

// The low-level functions keep their state in a value, which the EVP functions cannot, and use the same optimised code
// for the processor.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/sha.h>

/// AES-256-GCM with a nonce of 12 bytes and a tag of 16; `out` has room for `length` bytes. Returns 1, or 0 on failure.
static inline int docent_aes_256_gcm_seal(const unsigned char *key, const unsigned char *nonce,
                                          const unsigned char *associated, int associated_length,
                                          const unsigned char *plain, int length, unsigned char *out,
                                          unsigned char *tag) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int count = 0;
    unsigned char rest[16];
    int done = context && EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
               EVP_EncryptUpdate(context, NULL, &count, associated, associated_length) == 1 &&
               EVP_EncryptUpdate(context, out, &count, plain, length) == 1 && count == length &&
               EVP_EncryptFinal_ex(context, rest, &count) == 1 &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, 16, tag) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

/// The reverse. Returns 1, or 0 on failure or if the tag does not match; `out` is then undefined.
static inline int docent_aes_256_gcm_open(const unsigned char *key, const unsigned char *nonce,
                                          const unsigned char *associated, int associated_length,
                                          const unsigned char *sealed, int length, const unsigned char *tag,
                                          unsigned char *out) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int count = 0;
    unsigned char rest[16];
    int done = context && EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce) == 1 &&
               EVP_DecryptUpdate(context, NULL, &count, associated, associated_length) == 1 &&
               EVP_DecryptUpdate(context, out, &count, sealed, length) == 1 && count == length &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, 16, (void *)tag) == 1 &&
               EVP_DecryptFinal_ex(context, rest, &count) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

#endif
