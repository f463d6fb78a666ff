// One connection of the paced server: its bucket, its request, and what is left of the answer.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// The one file that is served, whatever path is asked for.
struct file {
  int descriptor;
  off_t size;
  char modified[64];
};

struct connection {
  int descriptor;
  // Bytes a second, bytes that may be sent now, and when that was reckoned.
  double rate, tokens;
  long long reckoned;
  // What of the file is still to be sent.
  off_t position, end;
  bool is_sending;
  // Whether the connection ends with this answer, and whether its end was sent.
  bool is_last, is_over;
  size_t count;
  char head[16384];
};

long long nanoseconds_now(void);

void connection_open(struct connection *connection, int descriptor, double rate);

// Takes what the client sent; false when the connection is to be closed.
bool connection_read(struct connection *connection, const struct file *file);

// Sends as much as the bucket holds; false when the connection is to be closed.
bool connection_send(struct connection *connection, const struct file *file);
