#define _GNU_SOURCE
#include "connection.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// For how long a connection saves up while it has nothing to send, or its client does not read: a
// line that was idle is no faster afterwards.
static const double SAVING = 0.02;

long long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

void connection_open(struct connection *connection, int descriptor, double rate) {
  *connection =
    (struct connection){.descriptor = descriptor, .rate = rate, .reckoned = nanoseconds_now()};
}

static void fill(struct connection *connection) {
  long long now = nanoseconds_now();
  connection->tokens += connection->rate * (double)(now - connection->reckoned) / 1e9;
  connection->reckoned = now;
}

static void spill(struct connection *connection) {
  double most = connection->rate * SAVING;
  if (connection->tokens > most) connection->tokens = most;
}

// The value of a field in a head whose lines end with zero bytes, or NULL.
static const char *field(const char *head, const char *end, const char *name) {
  size_t length = strlen(name);
  for (const char *line = head; line < end; line += strlen(line) + 1) {
    if (strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
    const char *value = line + length + 1;
    return value + strspn(value, " \t");
  }
  return NULL;
}

// Reads `bytes=FIRST-` and `bytes=FIRST-LAST`; other forms are left alone (RFC 9110, 14.2).
static bool read_range(const char *value, off_t size, off_t *position, off_t *end) {
  if (strncasecmp(value, "bytes=", 6) != 0 || !isdigit((unsigned char)value[6])) return false;
  char *rest;
  errno = 0;
  long long first = strtoll(value + 6, &rest, 10);
  if (errno != 0 || *rest != '-') return false;
  long long last = size - 1;
  if (rest[1] != 0) {
    if (!isdigit((unsigned char)rest[1])) return false;
    last = strtoll(rest + 1, &rest, 10);
    if (errno != 0 || *rest != 0 || last < first) return false;
  }
  *position = first;
  *end = last < size - 1 ? last + 1 : size;
  return true;
}

// Answers the request in the first `length` bytes, and keeps what stands behind it.
static bool answer(struct connection *connection, size_t length, const struct file *file) {
  char *head = connection->head, *end = head + length;
  for (char *byte = head; byte < end; byte++) {
    if (*byte == '\r' || *byte == '\n') *byte = 0;
  }
  bool is_get = strncmp(head, "GET ", 4) == 0, is_head = strncmp(head, "HEAD ", 5) == 0;
  const char *version = strrchr(head, ' ');
  const char *option = field(head, end, "Connection"), *range = field(head, end, "Range");
  const char *condition = field(head, end, "If-Range");
  char tag[64];
  snprintf(tag, sizeof tag, "\"paced-%lld\"", (long long)file->size);
  connection->is_last = version == NULL || strcmp(version, " HTTP/1.1") != 0
    || (option != NULL && strcasecmp(option, "close") == 0);
  connection->position = 0;
  connection->end = file->size;

  const char *status = "200 OK";
  char place[96] = "";
  if (!is_get && !is_head) {
    status = "405 Method Not Allowed";
    connection->end = 0;
  } else if (range != NULL && (condition == NULL || strcmp(condition, tag) == 0)
    && read_range(range, file->size, &connection->position, &connection->end)) {
    if (connection->position < file->size) {
      status = "206 Partial Content";
      snprintf(place, sizeof place, "Content-Range: bytes %lld-%lld/%lld\r\n",
        (long long)connection->position, (long long)connection->end - 1, (long long)file->size);
    } else {
      status = "416 Range Not Satisfiable";
      snprintf(place, sizeof place, "Content-Range: bytes */%lld\r\n", (long long)file->size);
      connection->position = connection->end = 0;
    }
  }
  time_t now = time(NULL);
  struct tm parts;
  char date[64], text[768];
  strftime(date, sizeof date, "%a, %d %b %Y %T GMT", gmtime_r(&now, &parts));
  int count = snprintf(text, sizeof text,
    "HTTP/1.1 %s\r\nDate: %s\r\nContent-Type: application/octet-stream\r\n"
    "Content-Length: %lld\r\n%sAccept-Ranges: bytes\r\nETag: %s\r\nLast-Modified: %s\r\n%s\r\n",
    status, date, (long long)(connection->end - connection->position), place, tag,
    file->modified, connection->is_last ? "Connection: close\r\n" : "");
  if (send(connection->descriptor, text, (size_t)count, MSG_NOSIGNAL) != count) return false;
  if (is_head) connection->position = connection->end;

  connection->count -= length;
  memmove(head, end, connection->count);
  fill(connection);
  spill(connection);
  connection->is_sending = true;
  return true;
}

// Ends an answer that was sent.
static bool finish(struct connection *connection) {
  connection->is_sending = false;
  if (!connection->is_last) return true;
  // The rest comes when the client closes: closing first, with something unread, would reset.
  connection->is_over = true;
  return shutdown(connection->descriptor, SHUT_WR) == 0;
}

static bool begin(struct connection *connection, const struct file *file) {
  while (!connection->is_sending && !connection->is_over) {
    char *end = memmem(connection->head, connection->count, "\r\n\r\n", 4);
    if (end == NULL) return connection->count < sizeof connection->head;
    if (!answer(connection, (size_t)(end - connection->head) + 4, file)) return false;
    if (connection->position == connection->end && !finish(connection)) return false;
  }
  return true;
}

bool connection_read(struct connection *connection, const struct file *file) {
  if (connection->is_over) connection->count = 0;
  ssize_t count = recv(connection->descriptor, connection->head + connection->count,
    sizeof connection->head - connection->count, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  connection->count += (size_t)count;
  return begin(connection, file);
}

bool connection_send(struct connection *connection, const struct file *file) {
  fill(connection);
  while (connection->tokens >= 1 && connection->position < connection->end) {
    size_t wanted = (size_t)connection->tokens;
    if ((off_t)wanted > connection->end - connection->position) {
      wanted = (size_t)(connection->end - connection->position);
    }
    ssize_t sent =
      sendfile(connection->descriptor, file->descriptor, &connection->position, wanted);
    if (sent > 0) {
      connection->tokens -= (double)sent;
    } else if (sent < 0 && errno == EAGAIN) {
      spill(connection);
      return true;
    } else if (sent == 0 || errno != EINTR) {
      return false;
    }
  }
  if (connection->position < connection->end) return true;
  return finish(connection) && begin(connection, file);
}
