// receiver URL FILE fetches http://127.0.0.1:PORT/PATH over plain HTTP/1.1 on one connection: it
// receives a large buffer, writes it, and so on. It resumes nothing, trusts what it is told and does
// not wait for the disk, so its time is a floor for what receives into a buffer and writes a file.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// The size that writes fastest, aligned in memory and in the file.
enum { SIZE = 256 << 10 };

static int fail(const char *what) {
  fprintf(stderr, "receiver: %s: %s\n", what, strerror(errno));
  return 1;
}

// Sends the request and returns the descriptor, or -1.
static int ask(const char *url) {
  char port[6], path[1025];
  if (sscanf(url, "http://127.0.0.1:%5[0-9]%1024s", port, path) != 2) {
    errno = EINVAL;
    return -1;
  }
  struct sockaddr_in address = {.sin_family = AF_INET,
    .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    .sin_port = htons((unsigned short)strtoul(port, NULL, 10))};
  int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  char request[2048];
  int count = snprintf(request, sizeof request,
    "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path);
  return send(peer, request, (size_t)count, MSG_NOSIGNAL) == count ? peer : -1;
}

// Reads up to the end of the head; the count of bytes, or 0. One byte at a time is enough for it.
static size_t read_head(int peer, char *head, size_t most) {
  size_t count = 0;
  while (count < most - 1 && recv(peer, head + count, 1, 0) == 1) {
    head[++count] = 0;
    if (count >= 4 && memcmp(head + count - 4, "\r\n\r\n", 4) == 0) return count;
  }
  return 0;
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "--version") == 0) {
    puts("receiver 1.0");
    return 0;
  }
  if (count != 3) {
    fprintf(stderr, "usage: receiver URL FILE\n");
    return 2;
  }
  int peer = ask(words[1]);
  if (peer < 0) return fail(words[1]);
  char head[8192];
  if (read_head(peer, head, sizeof head) == 0 || strncmp(head, "HTTP/1.1 200 ", 13) != 0) {
    fprintf(stderr, "receiver: the answer is another one\n");
    return 1;
  }
  const char *field = strcasestr(head, "\r\nContent-Length:");
  long long length = field == NULL ? -1 : strtoll(field + 17, NULL, 10);
  if (length < 0) {
    fprintf(stderr, "receiver: the answer has no length\n");
    return 1;
  }

  int file = open(words[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return fail(words[2]);
  // Cheaper where the file system can do it, and no loss where it cannot.
  if (length > 0) (void)!fallocate(file, 0, 0, length);
  char *buffer =
    mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (buffer == MAP_FAILED) return fail("mmap");
  for (long long position = 0; position < length;) {
    size_t wanted = length - position < SIZE ? (size_t)(length - position) : SIZE;
    ssize_t received = recv(peer, buffer, wanted, MSG_WAITALL);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return fail("recv");
    if (pwrite(file, buffer, (size_t)received, position) != received) return fail(words[2]);
    position += received;
  }
  return close(file) == 0 ? 0 : fail(words[2]);
}
