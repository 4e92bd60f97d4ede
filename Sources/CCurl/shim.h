#ifndef DOCENT_CCURL_SHIM_H
#define DOCENT_CCURL_SHIM_H

#include <curl/curl.h>

// Swift cannot call variadic C functions or read macros with casts.

static const long ccurl_auth_basic = (long)CURLAUTH_BASIC;
static const long ccurl_auth_digest = (long)CURLAUTH_DIGEST;
static const long ccurl_auth_bearer = (long)CURLAUTH_BEARER;
static const size_t ccurl_read_abort = CURL_READFUNC_ABORT;

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the bytes.
static inline CURLcode ccurl_set_bytes(CURL *handle, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    return curl_easy_setopt(handle, option, &blob);
}

/// libcurl copies as many bytes as CURLOPT_POSTFIELDSIZE_LARGE was set to before.
static inline CURLcode ccurl_copy_post_fields(CURL *handle, const void *bytes) {
    return curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, bytes);
}

typedef size_t (*ccurl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_function)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_progress_function)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

static inline CURLcode ccurl_set_data_function(CURL *handle, CURLoption option, ccurl_data_function function) {
    return curl_easy_setopt(handle, option, function);
}

static inline CURLcode ccurl_set_seek_function(CURL *handle, ccurl_seek_function function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_set_progress_function(CURL *handle, ccurl_progress_function function) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, function);
}

static inline long ccurl_get_long(CURL *handle, CURLINFO information) {
    long value = 0;
    return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : 0;
}

/// The text belongs to the handle. NULL if there is none.
static inline const char *ccurl_get_text(CURL *handle, CURLINFO information) {
    char *value = NULL;
    return curl_easy_getinfo(handle, information, &value) == CURLE_OK ? value : NULL;
}

#endif
