#pragma once

#include <cstdint>
#include <vector>

#include <linux/filter.h>

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Builds a seccomp filter. The first matching rule decides; calls without a rule are allowed unless
// refuseAllOthers() was added last. Only the lower 32 bits of an argument are compared.
class CallFilter {
 public:
  CallFilter();

  void refuse(int call, int error);
  // Refuses a call whose argument has any of the bits, or none of them.
  void refuseBits(int call, int argument, uint32_t bits, int error);
  void refuseWithoutBits(int call, int argument, uint32_t bits, int error);
  void refuseEqual(int call, int argument, uint32_t value, int error);
  void refuseOthers(int call, int argument, uint32_t value, int error);
  void allow(int call);
  void allowEqual(int call, int argument, uint32_t value);
  // Calls from number `newerFrom` on fail with ENOSYS, so that libraries fall back to older ones.
  void refuseAllOthers(int error, int newerFrom);

  // Applies to this thread and its children; with SECCOMP_FILTER_FLAG_TSYNC to all threads of the process.
  Outcome install(unsigned flags);

 private:
  struct Jumps {
    uint8_t ifTrue, ifFalse;  // 0: return the action, 1: continue
  };

  void add(uint16_t code, uint32_t value, uint8_t ifTrue = 0, uint8_t ifFalse = 0);
  void load(uint32_t at);
  void answer(uint32_t action);
  void checkArgument(int call, int argument, uint16_t comparison, uint32_t value, Jumps jumps,
                     uint32_t action);

  std::vector<sock_filter> code_;
};

}  // namespace framewright::sandbox
