#pragma once

#include <cstdint>
#include <vector>

#include <linux/filter.h>

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Rules for system calls, by seccomp. They are looked at in their order and the first that fits decides; what
// none fits is allowed, unless refuseAllOthers() came last. Of an argument only the lower half is looked at.
class CallFilter {
 public:
  CallFilter();

  void refuse(int call, int error);
  // Where the call's argument has one of the bits, or none of them.
  void refuseBits(int call, int argument, uint32_t bits, int error);
  void refuseWithoutBits(int call, int argument, uint32_t bits, int error);
  void refuseEqual(int call, int argument, uint32_t value, int error);
  void refuseOthers(int call, int argument, uint32_t value, int error);
  void allow(int call);
  void allowEqual(int call, int argument, uint32_t value);
  // Calls from `newerFrom` on are said not to be there, so that libraries take the older way.
  void refuseAllOthers(int error, int newerFrom);

  // For this thread and what it starts; with SECCOMP_FILTER_FLAG_TSYNC for all threads of the process.
  Outcome install(unsigned flags);

 private:
  struct Jumps {
    uint8_t ifTrue, ifFalse;  // 0: the answer, 1: go on
  };

  void add(uint16_t code, uint32_t value, uint8_t ifTrue = 0, uint8_t ifFalse = 0);
  void load(uint32_t at);
  void answer(uint32_t action);
  void checkArgument(int call, int argument, uint16_t comparison, uint32_t value, Jumps jumps,
                     uint32_t action);

  std::vector<sock_filter> code_;
};

}  // namespace framewright::sandbox
