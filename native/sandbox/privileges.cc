#include "sandbox/privileges.h"

#include <cstdio>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace framewright::sandbox {
namespace {

bool writeText(const char* path, const std::string& text) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  return written;
}

// Where only selected programs may create user namespaces, one created anyway lacks rights that
// Chromium's own sandbox needs.
bool namespacesAreForFew() {
  const int file = open("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char value = '0';
  const bool few = read(file, &value, 1) == 1 && value == '1';
  close(file);
  return few;
}

}  // namespace

Outcome dropPrivileges() {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("privileges cannot be fixed");
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
  }
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2]{};
  return syscall(SYS_capset, &header, none) == 0 ? success() : failure("capabilities cannot be dropped");
}

Outcome leaveNetwork() {
  if (unshare(CLONE_NEWNET) == 0) return success();
  if (namespacesAreForFew()) return {false, "the system keeps user namespaces to chosen programs"};
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return failure("no network namespace can be made");
  // Keeps the same ids inside the namespace.
  const auto same = [](unsigned id) { return std::to_string(id) + " " + std::to_string(id) + " 1"; };
  const bool mapped = writeText("/proc/self/setgroups", "deny") &&
                      writeText("/proc/self/uid_map", same(user)) &&
                      writeText("/proc/self/gid_map", same(group));
  return mapped ? success() : failure("the user cannot be carried into a namespace");
}

}  // namespace framewright::sandbox
