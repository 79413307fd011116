#include <cerrno>
#include <cstdint>

#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/call_filter.h"
#include "sandbox/system_calls.h"

namespace framewright::sandbox {
namespace {

// All system calls of an engine without graphics drivers while it decodes, composes and encodes, found by
// tracing, and those that the C library uses instead on other machines.
constexpr int kAllowed[] = {
    // Open files, and files that the file rules permit.
    SYS_read,
    SYS_write,
    SYS_readv,
    SYS_writev,
    SYS_pread64,
    SYS_pwrite64,
    SYS_lseek,
    SYS_close,
    SYS_openat,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_fcntl,
    SYS_dup,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_fadvise64,
    SYS_fsync,
    SYS_fdatasync,
    SYS_unlinkat,
    SYS_renameat,
#ifdef SYS_renameat2
    SYS_renameat2,
#endif
    // Memory; executable mappings are refused below.
    SYS_brk,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_mremap,
    SYS_madvise,
    SYS_get_mempolicy,
    SYS_set_mempolicy,
    SYS_mbind,
    // Threads.
    SYS_clone,
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    SYS_gettid,
    SYS_exit,
    SYS_exit_group,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_setaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_setscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_getpriority,
    SYS_setpriority,
    SYS_membarrier,
    // Signals to itself, as abort() sends; the launcher's rules refuse signals to others.
    SYS_tgkill,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_sigaltstack,
    SYS_restart_syscall,
    // Time, random numbers, process and system identity.
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getrandom,
    SYS_getcpu,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_getpid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_ppoll,
#if defined(__x86_64__)
    SYS_open,
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_unlink,
    SYS_rename,
    SYS_poll,
    SYS_time,
#endif
};

constexpr uint32_t kAllowedOfPrctl[] = {PR_SET_NAME, PR_GET_NAME,
                                        0x53564d41 /* PR_SET_VMA: names of memory */};

// First system call number that all architectures share (Linux 5.1).
constexpr int kNewer = 424;

}  // namespace

Outcome sealSystemCalls() {
  CallFilter filter;
  // No new executable memory.
  for (const int call : {SYS_mmap, SYS_mprotect}) filter.refuseBits(call, 2, PROT_EXEC, EPERM);
  filter.refuseWithoutBits(SYS_clone, 0, CLONE_THREAD, EPERM);
  filter.refuseOthers(SYS_tgkill, 0, static_cast<uint32_t>(getpid()), EPERM);
  for (const int call : kAllowed) filter.allow(call);
  for (const uint32_t option : kAllowedOfPrctl) filter.allowEqual(SYS_prctl, 0, option);
  // Only reading this process's own limits.
  filter.refuseOthers(SYS_prlimit64, 0, 0, EPERM);
  filter.allowEqual(SYS_prlimit64, 2, 0);
  filter.refuseAllOthers(EPERM, kNewer);
  return filter.install(SECCOMP_FILTER_FLAG_TSYNC);
}

}  // namespace framewright::sandbox
