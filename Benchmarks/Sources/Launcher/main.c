// launcher SECONDS PROGRAM ARGUMENT... runs one program and writes what it cost:
//
//   WALL USER SYSTEM MEMORY HOW CODE
//
// Times are in nanoseconds, memory (the largest resident set of any process of it) in KiB; HOW is
// "exited", "signalled" or "late". The program reads nothing, its standard output is dropped, and
// its standard error is that of the launcher. After SECONDS it is killed.
//
// It has to be a small process: Linux counts the memory that a process had before it became
// another program into that program's peak.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile pid_t child;
static volatile sig_atomic_t is_late;

static void on_alarm(int number) {
  (void)number;
  is_late = 1;
  kill(-child, SIGKILL);
}

static long long nanoseconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long nanoseconds(struct timeval time) {
  return time.tv_sec * 1000000000LL + time.tv_usec * 1000LL;
}

static void become(char **command, pid_t launcher, int null) {
  setpgid(0, 0);
  // The program goes with its launcher, also when the launcher went before this line.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != launcher) _exit(127);
  dup2(null, STDIN_FILENO);
  dup2(null, STDOUT_FILENO);
  execvp(command[0], command);
  dprintf(STDERR_FILENO, "%s: %s\n", command[0], strerror(errno));
  _exit(127);
}

int main(int count, char **words) {
  if (count < 3) {
    fprintf(stderr, "usage: launcher SECONDS PROGRAM ARGUMENT...\n");
    return 2;
  }
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) {
    perror("/dev/null");
    return 1;
  }
  signal(SIGALRM, on_alarm);
  pid_t launcher = getpid();

  long long start = nanoseconds_now();
  child = fork();
  if (child < 0) {
    perror("fork");
    return 1;
  }
  if (child == 0) become(words + 2, launcher, null);
  // Done by both sides: whoever comes first, the group exists before the alarm.
  setpgid(child, child);
  alarm((unsigned)strtoul(words[1], NULL, 10));

  int status = 0;
  struct rusage usage;
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) {
      perror("wait4");
      return 1;
    }
  }
  long long wall = nanoseconds_now() - start;
  alarm(0);

  int is_signalled = WIFSIGNALED(status);
  printf("%lld %lld %lld %ld %s %d\n", wall, nanoseconds(usage.ru_utime),
    nanoseconds(usage.ru_stime), usage.ru_maxrss,
    is_late ? "late" : is_signalled ? "signalled" : "exited",
    is_signalled ? WTERMSIG(status) : WEXITSTATUS(status));
  return 0;
}
