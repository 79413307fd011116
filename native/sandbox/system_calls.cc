#include "sandbox/system_calls.h"

#include <cerrno>
#include <cstdint>

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/call_filter.h"

namespace framewright::sandbox {
namespace {

// Calls that a media engine never needs; they fail with EPERM.
constexpr int kForbidden[] = {
    SYS_connect,
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
// Fail with ENOSYS, so that libraries fall back: io_uring would open files and sockets past this filter, and
// the arguments of clone3 cannot be inspected.
constexpr int kAbsent[] = {425 /* io_uring_setup */, 426 /* io_uring_enter */, 427 /* io_uring_register */,
                           435 /* clone3 */};

constexpr uint32_t kNamespaces =
    CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP;
// Both insert input into a terminal.
constexpr uint32_t kTerminalInput[] = {0x5412 /* TIOCSTI */, 0x541C /* TIOCLINUX */};

// SOCK_SEQPACKET is 5; the type's higher bits are flags.
constexpr uint32_t kTypeBits[] = {1, 4}, kOtherTypeBits = 2 | 8;

void restrictSockets(CallFilter& filter, Sockets sockets) {
  if (sockets == Sockets::kNone) {
    for (const int call : {SYS_socket, SYS_bind, SYS_listen}) filter.refuse(call, EPERM);
    return;
  }
  filter.refuseOthers(SYS_socket, 0, AF_UNIX, EPERM);
  for (const uint32_t bit : kTypeBits) filter.refuseWithoutBits(SYS_socket, 1, bit, EPERM);
  filter.refuseBits(SYS_socket, 1, kOtherTypeBits, EPERM);
}

}  // namespace

Outcome restrictSystemCalls(Sockets sockets) {
  CallFilter filter;
  restrictSockets(filter, sockets);
  for (const int call : kForbidden) filter.refuse(call, EPERM);
  for (const int call : kAbsent) filter.refuse(call, ENOSYS);
  filter.refuseBits(SYS_clone, 0, kNamespaces, EPERM);
  // The executed program keeps this process's id.
  const auto self = static_cast<uint32_t>(getpid());
  filter.refuseOthers(SYS_kill, 0, self, EPERM);
  filter.refuseOthers(SYS_tgkill, 0, self, EPERM);
  for (const uint32_t request : kTerminalInput) filter.refuseEqual(SYS_ioctl, 1, request, EPERM);
  return filter.install(0);
}

Outcome sealPrograms() {
  CallFilter filter;
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
