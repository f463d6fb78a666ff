#include "CHaulCurl.h"

CURLcode haul_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode haul_curl_set_offset(CURL *easy, CURLoption option, int64_t value) {
    return curl_easy_setopt(easy, option, (curl_off_t)value);
}

CURLcode haul_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode haul_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode haul_curl_set_data_callback(CURL *easy, CURLoption option, haul_curl_data_callback value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode haul_curl_set_socket_callback(CURL *easy, CURLoption option, haul_curl_socket_callback value) {
    return curl_easy_setopt(easy, option, value);
}

CURLcode haul_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLcode haul_curl_get_double(CURL *easy, CURLINFO info, double *value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLcode haul_curl_get_offset(CURL *easy, CURLINFO info, int64_t *value) {
    curl_off_t result = 0;
    CURLcode code = curl_easy_getinfo(easy, info, &result);
    *value = result;
    return code;
}

CURLcode haul_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

CURLMcode haul_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

CURLSHcode haul_curl_share_set_long(CURLSH *share, CURLSHoption option, long value) {
    return curl_share_setopt(share, option, value);
}

CURL *haul_curl_message_done(CURLMsg *message, CURLcode *result) {
    if (message->msg != CURLMSG_DONE) return NULL;
    *result = message->data.result;
    return message->easy_handle;
}

CURLcode haul_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}
