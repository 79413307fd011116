#include "sandbox/system_calls.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
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
// The lower half of an argument; both architectures store it first.
constexpr uint32_t argumentAt(int index) { return offsetof(seccomp_data, args) + 8u * index; }

// Calls that a media engine has no business with. The answer is EPERM.
constexpr int kForbidden[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    // Other processes.
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    434 /* pidfd_open */,
    438 /* pidfd_getfd */,
    424 /* pidfd_send_signal */,
    440 /* process_madvise */,
    448 /* process_mrelease */,
    // The file tree and namespaces.
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    428 /* open_tree */,
    429 /* move_mount */,
    430 /* fsopen */,
    431 /* fsconfig */,
    432 /* fsmount */,
    433 /* fspick */,
    442 /* mount_setattr */,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_mknodat,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    // The kernel.
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_syslog,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_personality,
#if defined(__x86_64__)
    SYS_mknod,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_uselib,
    SYS_kexec_file_load,
#endif
};
// Said not to be there, so that libraries take the older way: io_uring would open files and sockets past this
// filter, and what clone3 is asked for cannot be looked at.
constexpr int kAbsent[] = {425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
                           435 /* clone3 */};

constexpr uint32_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;
// Both put input into a terminal.
constexpr uint32_t kTerminalInput[] = {0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */};

// A filter is straight code: each rule is looked at in order, and a jump leads over at most its own answer.
class Filter {
 public:
  Filter() {
    load(kArchitectureAt);
    add(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(kNumberAt);
#if defined(__x86_64__)
    // The x32 ABI has numbers of its own for the same calls.
    constexpr uint32_t kX32 = 0x40000000;
    add(BPF_JMP | BPF_JGE | BPF_K, kX32, 0, 1);
    answer(SECCOMP_RET_KILL_PROCESS);
#endif
  }

  void refuse(int call, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1);
    answerError(error);
  }
  // Where the call's argument has one of the bits.
  void refuseBits(int call, int argument, uint32_t bits, int error) {
    checkArgument(call, argument, BPF_JSET, bits, {0, 1}, error);
  }
  void refuseWithoutBits(int call, int argument, uint32_t bits, int error) {
    checkArgument(call, argument, BPF_JSET, bits, {1, 0}, error);
  }
  void refuseEqual(int call, int argument, uint32_t value, int error) {
    checkArgument(call, argument, BPF_JEQ, value, {0, 1}, error);
  }
  void refuseOthers(int call, int argument, uint32_t value, int error) {
    checkArgument(call, argument, BPF_JEQ, value, {1, 0}, error);
  }

  Outcome install(unsigned flags) {
    if (kArchitecture == 0) return {false, "seccomp rules are written for x86-64 and ARM64 only"};
    answer(SECCOMP_RET_ALLOW);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failure("privileges cannot be fixed");
    const long status = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
    return status == 0 ? success() : failure("the kernel takes no seccomp filter");
  }

 private:
  struct Jumps {
    uint8_t ifTrue, ifFalse;  // 0: refuse, 1: go on
  };

  void add(uint16_t code, uint32_t value, uint8_t ifTrue = 0, uint8_t ifFalse = 0) {
    code_.push_back({code, ifTrue, ifFalse, value});
  }
  void load(uint32_t at) { add(BPF_LD | BPF_W | BPF_ABS, at); }
  void answer(uint32_t action) { add(BPF_RET | BPF_K, action); }
  void answerError(int error) { answer(SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)); }

  void checkArgument(int call, int argument, uint16_t comparison, uint32_t value, Jumps jumps, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 4);
    load(argumentAt(argument));
    add(static_cast<uint16_t>(BPF_JMP | comparison | BPF_K), value, jumps.ifTrue, jumps.ifFalse);
    answerError(error);
    load(kNumberAt);
  }

  std::vector<sock_filter> code_;
};

}  // namespace

Outcome restrictSystemCalls() {
  Filter filter;
  for (const int call : kForbidden) filter.refuse(call, EPERM);
  for (const int call : kAbsent) filter.refuse(call, ENOSYS);
  filter.refuseBits(SYS_clone, 0, kNamespaces, EPERM);
  // The program that takes over keeps this process's id.
  const auto self = static_cast<uint32_t>(getpid());
  filter.refuseOthers(SYS_kill, 0, self, EPERM);
  filter.refuseOthers(SYS_tgkill, 0, self, EPERM);
  for (const uint32_t request : kTerminalInput) filter.refuseEqual(SYS_ioctl, 1, request, EPERM);
  return filter.install(0);
}

Outcome sealSystemCalls() {
  Filter filter;
  filter.refuse(SYS_execve, EPERM);
  filter.refuse(SYS_execveat, EPERM);
#if defined(__x86_64__)
  filter.refuse(SYS_fork, EPERM);
  filter.refuse(SYS_vfork, EPERM);
#endif
  filter.refuse(435 /* clone3 */, ENOSYS);
  filter.refuseWithoutBits(SYS_clone, 0, CLONE_THREAD, EPERM);
  return filter.install(SECCOMP_FILTER_FLAG_TSYNC);
}

}  // namespace framewright::sandbox
