#ifndef DOCENT_CCRYPTO_SHIM_H
#define DOCENT_CCRYPTO_SHIM_H

// The plain functions keep their state in a value, which EVP's cannot, and run the same code for the processor at hand.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#endif
