// pacer FILE RATE [SLOW NUMBER OF] serves a file on 127.0.0.1, with RATE bytes a second for each
// connection, and writes the port and a newline.
//
// With three more numbers the connection that comes as the NUMBER-th of each OF gets SLOW bytes a
// second instead. They are counted from the first on whenever none is open.
//
// Each connection has a bucket of its own, which is empty at first, and is filled all the time
// rather than once a second. What this server could not send in time for want of a processor is
// sent later: then the machine is slow, not the line.
#define _GNU_SOURCE
#include "connection.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 128 };
// How often the buckets are emptied, in nanoseconds: small beside the seconds of a transfer.
static const long long TURN = 4000000;

static struct connection connections[MOST];
static int open_count;
static unsigned long long number_of_next;
static double rate, slow_rate;
static unsigned long long slow_number, slow_of;

static int fail(const char *what) {
  perror(what);
  return 1;
}

static int listen_somewhere(int *listener) {
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  *listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (*listener < 0 || bind(*listener, (struct sockaddr *)&address, sizeof address) != 0
    || listen(*listener, MOST) != 0
    || getsockname(*listener, (struct sockaddr *)&address, &length) != 0) {
    return -1;
  }
  return ntohs(address.sin_port);
}

static void take(int listener) {
  while (open_count < MOST) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    int yes = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (open_count == 0) number_of_next = 0;
    bool is_slow = slow_of > 0 && number_of_next % slow_of == slow_number - 1;
    number_of_next++;
    connection_open(&connections[open_count++], descriptor, is_slow ? slow_rate : rate);
  }
}

static void drop(int index) {
  close(connections[index].descriptor);
  connections[index] = connections[--open_count];
}

static void serve(int listener, const struct file *file) {
  struct pollfd entries[MOST + 1];
  long long next = 0;
  for (;;) {
    // Those who are being sent something are looked at in each turn, not here.
    bool is_sending = false;
    for (int index = 0; index < open_count; index++) {
      bool waits = !connections[index].is_sending;
      entries[index] = (struct pollfd){
        .fd = waits ? connections[index].descriptor : -1, .events = POLLIN};
      is_sending |= !waits;
    }
    int polled = open_count;
    entries[polled] = (struct pollfd){.fd = polled < MOST ? listener : -1, .events = POLLIN};
    long long now = nanoseconds_now(), left = next > now ? next - now : 0;
    struct timespec wait = {.tv_nsec = left};
    if (ppoll(entries, (nfds_t)polled + 1, is_sending ? &wait : NULL, NULL) < 0) continue;

    // Backwards, since the last one takes the place of one that is dropped.
    for (int index = polled - 1; index >= 0; index--) {
      if (entries[index].revents != 0 && !connection_read(&connections[index], file)) drop(index);
    }
    if (entries[polled].revents != 0) take(listener);
    now = nanoseconds_now();
    if (now < next) continue;
    next = now + TURN;
    for (int index = open_count - 1; index >= 0; index--) {
      if (connections[index].is_sending && !connection_send(&connections[index], file)) {
        drop(index);
      }
    }
  }
}

int main(int count, char **words) {
  if (count != 3 && count != 6) {
    fprintf(stderr, "usage: pacer FILE RATE [SLOW NUMBER OF]\n");
    return 2;
  }
  rate = strtod(words[2], NULL);
  if (count == 6) {
    slow_rate = strtod(words[3], NULL);
    slow_number = strtoull(words[4], NULL, 10);
    slow_of = strtoull(words[5], NULL, 10);
  }
  if (!(rate > 0) || (count == 6 && (!(slow_rate > 0) || slow_number < 1 || slow_of < 1))) {
    fprintf(stderr, "pacer: rates and numbers begin with 1\n");
    return 2;
  }
  struct file file = {.descriptor = open(words[1], O_RDONLY | O_CLOEXEC)};
  struct stat facts;
  struct tm parts;
  if (file.descriptor < 0 || fstat(file.descriptor, &facts) != 0) return fail(words[1]);
  file.size = facts.st_size;
  strftime(file.modified, sizeof file.modified, "%a, %d %b %Y %T GMT",
    gmtime_r(&facts.st_mtime, &parts));

  signal(SIGPIPE, SIG_IGN);
  // A wait of four milliseconds is to take no longer.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  int listener, port = listen_somewhere(&listener);
  if (port < 0) return fail("listen");
  printf("%d\n", port);
  fflush(stdout);
  serve(listener, &file);
}
