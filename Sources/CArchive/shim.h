#ifndef DOCENT_CARCHIVE_SHIM_H
#define DOCENT_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>

// Swift does not import macros with casts.
static const unsigned carchive_file = AE_IFREG;
static const unsigned carchive_folder = AE_IFDIR;

#endif
