#ifndef CHAULCURL_H
#define CHAULCURL_H

// curl_easy_setopt, curl_multi_setopt, curl_share_setopt and curl_easy_getinfo are variadic and
// not imported into Swift: one typed door here for each kind of value.

#include <curl/curl.h>
#include <stdint.h>

typedef size_t (*haul_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*haul_curl_socket_callback)(void *context, curl_socket_t socket, curlsocktype purpose);

CURLcode haul_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode haul_curl_set_offset(CURL *easy, CURLoption option, int64_t value);
CURLcode haul_curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode haul_curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode haul_curl_set_data_callback(CURL *easy, CURLoption option, haul_curl_data_callback value);
CURLcode haul_curl_set_socket_callback(CURL *easy, CURLoption option, haul_curl_socket_callback value);

// Lets an exchange be removed during a name look-up without waiting for it, where libcurl can.
CURLcode haul_curl_set_quick_exit(CURL *easy);

CURLcode haul_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode haul_curl_get_double(CURL *easy, CURLINFO info, double *value);
CURLcode haul_curl_get_offset(CURL *easy, CURLINFO info, int64_t *value);
CURLcode haul_curl_get_pointer(CURL *easy, CURLINFO info, void **value);

CURLMcode haul_curl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLSHcode haul_curl_share_set_long(CURLSH *share, CURLSHoption option, long value);

// The easy handle and the result of a finished message; NULL for other messages.
CURL *haul_curl_message_done(CURLMsg *message, CURLcode *result);

#endif
