#ifndef DOCENT_CSODIUM_SHIM_H
#define DOCENT_CSODIUM_SHIM_H

#include <sodium.h>

#endif
