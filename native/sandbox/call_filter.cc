#include "sandbox/call_filter.h"

#include <cerrno>
#include <cstddef>

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace framewright::sandbox {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t kArchitecture = 0;
#endif

constexpr uint32_t kNumberAt = offsetof(seccomp_data, nr);
constexpr uint32_t kArchitectureAt = offsetof(seccomp_data, arch);
// Offset of the lower half of an argument; both supported architectures are little endian.
constexpr uint32_t argumentAt(int index) { return offsetof(seccomp_data, args) + 8u * index; }

uint32_t errorAnswer(int error) { return SECCOMP_RET_ERRNO | static_cast<uint32_t>(error); }

}  // namespace

// Each jump skips at most its own return instruction.
CallFilter::CallFilter() {
  load(kArchitectureAt);
  add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
  answer(SECCOMP_RET_KILL_PROCESS);
  load(kNumberAt);
#if defined(__x86_64__)
  // The x32 ABI has other numbers for the same calls.
  constexpr uint32_t kX32 = 0x40000000;
  add(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1);
  answer(SECCOMP_RET_KILL_PROCESS);
#endif
}

void CallFilter::refuse(int call, int error) {
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
  answer(errorAnswer(error));
}

void CallFilter::allow(int call) {
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
  answer(SECCOMP_RET_ALLOW);
}

void CallFilter::refuseBits(int call, int argument, uint32_t bits, int error) {
  checkArgument(call, argument, BPF_JSET, bits, {0, 1}, errorAnswer(error));
}
void CallFilter::refuseWithoutBits(int call, int argument, uint32_t bits, int error) {
  checkArgument(call, argument, BPF_JSET, bits, {1, 0}, errorAnswer(error));
}
void CallFilter::refuseEqual(int call, int argument, uint32_t value, int error) {
  checkArgument(call, argument, BPF_JEQ, value, {0, 1}, errorAnswer(error));
}
void CallFilter::refuseOthers(int call, int argument, uint32_t value, int error) {
  checkArgument(call, argument, BPF_JEQ, value, {1, 0}, errorAnswer(error));
}
void CallFilter::allowEqual(int call, int argument, uint32_t value) {
  checkArgument(call, argument, BPF_JEQ, value, {0, 1}, SECCOMP_RET_ALLOW);
}

void CallFilter::refuseAllOthers(int error, int newerFrom) {
  add(BPF_JMP | BPF_JGE | BPF_K, static_cast<uint32_t>(newerFrom), 0, 1);
  answer(errorAnswer(ENOSYS));
  answer(errorAnswer(error));
}

Outcome CallFilter::install(unsigned flags) {
  if (kArchitecture == 0) return {false, "seccomp rules are written for x86-64 and ARM64 only"};
  answer(SECCOMP_RET_ALLOW);
  const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("privileges cannot be fixed");
  const long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  return status == 0 ? success() : failure("the kernel takes no seccomp filter");
}

void CallFilter::add(uint16_t code, uint32_t value, uint8_t ifTrue, uint8_t ifFalse) {
  code_.push_back({code, ifTrue, ifFalse, value});
}

void CallFilter::load(uint32_t at) { add(BPF_LD | BPF_W | BPF_ABS, at); }

void CallFilter::answer(uint32_t action) { add(BPF_RET | BPF_K, action); }

void CallFilter::checkArgument(int call, int argument, uint16_t comparison, uint32_t value, Jumps jumps,
                               uint32_t action) {
  add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
  load(argumentAt(argument));
  add(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, jumps.ifTrue, jumps.ifFalse);
  answer(action);
  load(kNumberAt);
}

}  // namespace framewright::sandbox
