// A target needs a source file. This one checks the layout that plugins were built against.
#include "docent_extension.h"

_Static_assert(offsetof(struct docent_extension_context_v1, size) == 0, "the size comes first");
_Static_assert(offsetof(struct docent_extension_context_v1, socket) == sizeof(size_t), "v1 only grows at its end");
