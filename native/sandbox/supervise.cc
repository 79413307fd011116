#include "sandbox/supervise.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/limits.h"

namespace framewright::sandbox {
namespace {

constexpr int kCannotRun = 127;

pid_t parent = 0;

void endGroup(int) { kill(0, SIGKILL); }

// SIGCONT also wakes a stopped process; it may arrive for other reasons.
void endGroupOfOrphan(int) {
  if (getppid() != parent) kill(0, SIGKILL);
}

[[noreturn]] void become(char* const* command) {
  execvp(command[0], command);
  std::fprintf(stderr, "framewright-sandbox: %s: %s\n", command[0], std::strerror(errno));
  _exit(kCannotRun);
}

}  // namespace

void dieWithParent() {
  const pid_t parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The parent may have died before the request took effect.
  if (getppid() != parent) _exit(1);
}

int supervise(char* const* command) {
  // Never kill the group of the caller.
  if (getpgrp() != getpid()) setpgid(0, 0);
  std::signal(SIGTERM, endGroup);
  std::signal(SIGHUP, endGroup);
  std::signal(SIGCONT, endGroupOfOrphan);
  parent = getppid();
  prctl(PR_SET_PDEATHSIG, SIGCONT);
  if (getppid() != parent) return 1;
  const pid_t child = fork();
  if (child < 0) return kCannotRun;
  if (child == 0) {
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGHUP, SIG_DFL);
    std::signal(SIGCONT, SIG_DFL);
    become(command);
  }
  // Close our ends of the program's pipes, so that their readers notice its end.
  for (int descriptor = 3; descriptor < 256; ++descriptor) close(descriptor);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  kill(0, SIGKILL);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kCannotRun;
}

}  // namespace framewright::sandbox
