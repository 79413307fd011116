#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>

#include "core/cancel_token.h"
#include "core/result.h"

namespace framewright {

// Limits of a process for video encoders that run in parallel.
struct EncoderSlotLimits {
  int maxSlots = 1;
  double cores = 0;         // that the process may use; 0: allow maxSlots without measuring their use
  int64_t memoryBytes = 0;  // of the whole process; 0: unlimited
};

// Counters at one time; their use is the difference of two readings.
struct ProcessCounters {
  double seconds = 0;      // monotonic clock
  double ownSeconds = 0;   // CPU time of all threads of this process
  double idleSeconds = 0;  // summed over the cores in this process's affinity mask
  int64_t residentBytes = 0;
};

// Takes about 0.1 ms. Unavailable counters are 0. Any thread.
ProcessCounters readProcessCounters();

// Core use while encoders ran, in average cores.
struct CoreUse {
  double seconds = 0;  // measured time
  double own = 0;      // busy with this process
  double idle = 0;     // idle for all processes
};

// Idle counters have a resolution of 10 ms, and the first frames only fill an encoder, so core use is
// measured for at least this long.
inline constexpr double kSlotWindowSeconds = 1;

// The next number of slots after `slots` were in use: one more while a quarter of the cores is idle, one less
// while other processes need them.
int adjustedSlotCount(const EncoderSlotLimits& limits, int slots, const CoreUse& use);

// Whether there is memory for one more encoder of `neededBytes` beside `running` ones, in a process that
// occupies `residentBytes`.
bool hasMemoryFor(const EncoderSlotLimits& limits, int running, int64_t residentBytes, int64_t neededBytes);

class EncoderSlots;

// The right to run a video encoder, until destroyed.
class EncoderSlot {
 public:
  EncoderSlot(EncoderSlot&& other) noexcept : slots_(other.slots_), id_(other.id_) { other.slots_ = nullptr; }
  EncoderSlot& operator=(EncoderSlot&&) = delete;
  ~EncoderSlot();

  // The largest number of encoders that had slots at once, this one included.
  int maxParallelEncoders() const;

 private:
  friend class EncoderSlots;
  EncoderSlot(EncoderSlots& slots, int64_t id) : slots_(&slots), id_(id) {}

  EncoderSlots* slots_;
  int64_t id_;
};

struct SlotRequest {
  int64_t bytes = 0;  // approximate memory of the encoder
  bool isExclusive =
      false;  // no other encoder at the same time: hardware has few sessions, shared with others
};

// Grants encoder slots first come, first served. An encoder uses as many threads and as much memory as one
// movie may, so one runs at a time; more run while cores stay idle and memory is left. Decoding and composing
// before the first encoded frame need no slot. Any thread.
class EncoderSlots {
 public:
  using ReadCounters = ProcessCounters (*)();

  explicit EncoderSlots(const EncoderSlotLimits& limits = {}, ReadCounters read = readProcessCounters)
      : readCounters_(read) {
    setLimits(limits);
  }

  static EncoderSlots& ofProcess();

  // Call before the first acquire().
  void setLimits(const EncoderSlotLimits& limits);

  // Blocks until a slot is free. Fails with CANCELLED.
  Result<EncoderSlot> acquire(const SlotRequest& request, const CancelToken& cancel);

 private:
  friend class EncoderSlot;

  bool isMeasuring() const { return limits_.cores > 0 && limits_.maxSlots > 1; }
  int running() const { return static_cast<int>(running_.size()); }
  bool canRun(const SlotRequest& request);
  void adjustSlotCount();
  void recordCoreUse();
  void release(int64_t id);
  int maxParallelEncoders(int64_t id);

  const ReadCounters readCounters_;
  EncoderSlotLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<int64_t> waiting_;
  std::map<int64_t, int> running_;  // id -> its maxParallelEncoders()
  int64_t lastId_ = 0;
  bool isExclusive_ = false;
  int slotCount_ = 1;
  unsigned checks_ = 0;
  ProcessCounters lastCounters_;
  CoreUse coreSeconds_;  // measured while all slots are in use; own and idle in core-seconds
};

}  // namespace framewright
