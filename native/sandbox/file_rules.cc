#include "sandbox/file_rules.h"

#include <cerrno>
#include <cstdint>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace framewright::sandbox {
namespace {

// Defined here because distributions' headers lag behind their kernels.
constexpr int kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr uint32_t kAskVersion = 1;
constexpr int kRulePathBeneath = 1;

constexpr uint64_t kNothing = 0;
constexpr uint64_t kExecute = 1u << 0;
constexpr uint64_t kWriteFile = 1u << 1;
constexpr uint64_t kReadFile = 1u << 2;
constexpr uint64_t kReadDir = 1u << 3;
constexpr uint64_t kRemoveDir = 1u << 4;
constexpr uint64_t kRemoveFile = 1u << 5;
constexpr uint64_t kMakeChar = 1u << 6;
constexpr uint64_t kMakeDir = 1u << 7;
constexpr uint64_t kMakeReg = 1u << 8;
constexpr uint64_t kMakeSock = 1u << 9;
constexpr uint64_t kMakeFifo = 1u << 10;
constexpr uint64_t kMakeBlock = 1u << 11;
constexpr uint64_t kMakeSym = 1u << 12;
constexpr uint64_t kRefer = 1u << 13;     // ABI 2
constexpr uint64_t kTruncate = 1u << 14;  // ABI 3
constexpr uint64_t kControl = 1u << 15;   // ABI 5: device ioctl
constexpr uint64_t kFirstVersion = (1u << 13) - 1;
// Rights that a rule for a file, not a folder, may contain.
constexpr uint64_t kOfFiles = kExecute | kWriteFile | kReadFile | kTruncate | kControl;

constexpr uint64_t kReading = kReadFile | kReadDir;
constexpr uint64_t kWriting =
    kReading | kWriteFile | kRemoveDir | kRemoveFile | kMakeDir | kMakeReg | kRefer | kTruncate;
constexpr uint64_t kControlling = kReading | kWriteFile | kControl;

struct RulesetAttributes {
  uint64_t files;
  uint64_t network;  // ABI 4: TCP bind and connect
  uint64_t scopes;   // ABI 6: abstract sockets and signals
};
struct [[gnu::packed]] PathBeneath {
  uint64_t allowed;
  int32_t parent;
};

uint64_t accessOf(int version) {
  return kFirstVersion | (version >= 2 ? kRefer : kNothing) | (version >= 3 ? kTruncate : kNothing) |
         (version >= 5 ? kControl : kNothing);
}

size_t sizeOfAttributes(int version) {
  return version >= 6 ? sizeof(RulesetAttributes) : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
}

bool allow(int ruleset, const std::string& path, uint64_t access) {
  const int opened = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (opened < 0) return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
  struct stat status {};
  if (fstat(opened, &status) == 0 && !S_ISDIR(status.st_mode)) access &= kOfFiles;
  const PathBeneath rule{access, opened};
  const bool added = syscall(kAddRule, ruleset, kRulePathBeneath, &rule, 0) == 0;
  close(opened);
  return added;
}

bool allowAll(int ruleset, const std::vector<std::string>& paths, uint64_t access) {
  for (const std::string& path : paths) {
    if (!allow(ruleset, path, access)) return false;
  }
  return true;
}

}  // namespace

int landlockVersion() {
  const long version = syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  return version > 0 ? static_cast<int>(version) : 0;
}

Outcome restrictFiles(const FileRules& rules) {
  const int version = landlockVersion();
  if (version == 0) return {false, "the kernel has no Landlock, or it is switched off"};
  const uint64_t known = accessOf(version);
  constexpr uint64_t kBindAndConnect = 3, kSocketsAndSignals = 3;
  const RulesetAttributes attributes{known, kBindAndConnect, kSocketsAndSignals};
  const auto ruleset = static_cast<int>(syscall(kCreateRuleset, &attributes, sizeOfAttributes(version), 0));
  if (ruleset < 0) return failure("Landlock gives no rules");
  const bool added = allowAll(ruleset, rules.readable, kReading & known) &&
                     allowAll(ruleset, rules.writable, kWriting & known) &&
                     allowAll(ruleset, rules.devices, kControlling & known) &&
                     allowAll(ruleset, rules.existing, (kReading | kWriteFile | kTruncate) & known) &&
                     allowAll(ruleset, rules.programs, (kExecute | kReading) & known);
  const bool done =
      added && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(kRestrictSelf, ruleset, 0) == 0;
  const Outcome outcome = done ? success() : failure("Landlock refuses the rules");
  close(ruleset);
  return outcome;
}

}  // namespace framewright::sandbox
