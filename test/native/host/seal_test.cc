#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <thread>

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/system_calls.h"

namespace framewright::sandbox {
namespace {

constexpr int kNotSealed = 254;

// Runs `attempt` in a sealed process. Returns 0 on success, otherwise errno.
int sealed(const std::function<bool()>& attempt, Outcome (*seal)() = sealSystemCalls) {
  const pid_t child = fork();
  if (child == 0) {
    if (!seal().ok) _exit(kNotSealed);
    errno = 0;
    _exit(attempt() ? 0 : errno);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

bool canSeal() {
  return sealed([] { return true; }) != kNotSealed;
}

bool startProgram() { return execl("/bin/true", "true", nullptr) == 0; }

bool startProcess() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  return child > 0;
}

bool mapExecutable() {
  return mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
         MAP_FAILED;
}

bool makeExecutable() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0;
}

bool loadCode() {
  const int file = open("/bin/true", O_RDONLY | O_CLOEXEC);
  return file >= 0 && mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

bool setOwnLimit() {
  const rlimit limit{64, 64};
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

TEST_CASE("sealed engine: cannot start programs, load code or connect") {
  if (!canSeal()) return;
  CHECK(sealed(startProgram) == EPERM);
  CHECK(sealed(startProcess) == EPERM);
  CHECK(sealed(mapExecutable) == EPERM);
  CHECK(sealed(makeExecutable) == EPERM);
  CHECK(sealed(loadCode) == EPERM);
  CHECK(sealed([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }) == EPERM);
  CHECK(sealed([] {
          int pair[2];
          return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;
        }) == EPERM);
  CHECK(sealed([] { return kill(getppid(), 0) == 0; }) == EPERM);
  CHECK(sealed([] { return syscall(SYS_tgkill, getppid(), getppid(), 0) == 0; }) == EPERM);
  CHECK(sealed([] { return ioctl(0, TIOCSTI, "x") == 0; }) == EPERM);
  CHECK(sealed([] { return prctl(PR_SET_DUMPABLE, 0) == 0; }) == EPERM);
  CHECK(sealed(setOwnLimit) == EPERM);
  CHECK(sealed([] { return memfd_create("x", 0) >= 0; }) == EPERM);
  CHECK(sealed([] { return symlinkat("/etc/passwd", AT_FDCWD, "/tmp/framewright-seal-test") == 0; }) ==
        EPERM);
  CHECK(sealed([] { return syscall(425 /* io_uring_setup */, 1, nullptr) >= 0; }) == ENOSYS);
}

TEST_CASE("sealed engine: can read, write, wait and start threads") {
  if (!canSeal()) return;
#ifndef __SANITIZE_ADDRESS__  // the sanitizer makes further calls for each thread
  CHECK(sealed([] {
          bool ran = false;
          std::thread([&] { ran = true; }).join();
          return ran;
        }) == 0);
#endif
  CHECK(sealed([] {
          const int file = open("/dev/null", O_RDWR | O_CLOEXEC);
          char byte = 0;
          return file >= 0 && write(file, &byte, 1) == 1 && read(file, &byte, 1) == 0 && close(file) == 0;
        }) == 0);
  CHECK(sealed([] {
          cpu_set_t cores;
          rlimit limit{};
          return sched_getaffinity(0, sizeof cores, &cores) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0;
        }) == 0);
  // Restores the signal, so that the parent process sees the crash.
  CHECK(sealed([] {
          std::signal(SIGABRT, SIG_DFL);  // doctest has installed a handler
          return raise(SIGABRT) == 0;
        }) == 1000 + SIGABRT);
}

TEST_CASE("sealed engine with drivers: can load code but not start programs") {
  if (!canSeal()) return;
  CHECK(sealed(loadCode, sealPrograms) == 0);
  CHECK(sealed(mapExecutable, sealPrograms) == 0);
  CHECK(sealed(startProgram, sealPrograms) == EPERM);
  CHECK(sealed(startProcess, sealPrograms) == EPERM);
}

}  // namespace
}  // namespace framewright::sandbox
