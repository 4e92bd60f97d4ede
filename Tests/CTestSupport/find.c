#define _GNU_SOURCE
#include "CTestSupport.h"

#include <string.h>

long ctest_find(const void *bytes, size_t count, const void *needle, size_t length) {
    const char *found = memmem(bytes, count, needle, length);
    return found ? found - (const char *)bytes : -1;
}
