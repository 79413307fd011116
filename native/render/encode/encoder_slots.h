#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
inline constexpr int kMaxDeviceSessions = 8;

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
  EncoderSlot(EncoderSlot&& other) noexcept
      : slots_(std::exchange(other.slots_, nullptr)), id_(other.id_), device_(std::move(other.device_)) {}
  EncoderSlot& operator=(EncoderSlot&&) = delete;
  ~EncoderSlot();

  // The largest number of encoders that had slots at once, this one included.
  int maxParallelEncoders() const;
  // The device to encode on; empty: the CPU.
  const std::string& device() const { return device_; }
  // Counts frames that were encoded since the last call.
  void addFrames(int64_t frames) const;
  // The device's driver opens no more sessions.
  void noSession() const;

 private:
  friend class EncoderSlots;
  EncoderSlot(EncoderSlots& slots, int64_t id, std::string device)
      : slots_(&slots), id_(id), device_(std::move(device)) {}

  EncoderSlots* slots_;
  int64_t id_;
  std::string device_;
};

struct SlotRequest {
  int64_t bytes = 0;                      // approximate memory of the encoder
  std::vector<std::string> devices = {};  // that may encode, best first; empty: the CPU encodes
};

// How many sessions one device encodes at once. More sessions keep several encoder units of a card busy, and
// one unit while another session composes; where they do not, they only take memory and the sessions of other
// programs. So their number rises while the frames per second do, up to what the driver opens.
class DeviceSessions {
 public:
  // Whether one more session may open.
  bool hasRoom() const { return running_ < limit_; }
  int running() const { return running_; }
  int limit() const { return limit_; }
  // `now`: seconds on a monotonic clock.
  void begin(double now);
  void end(double now);
  void addFrames(int64_t frames, double now);
  // The driver refused the last session that began.
  void noSession();

 private:
  void startWindow(double now);

  int running_ = 0, limit_ = 2;
  bool isSettled_ = false;
  double lastRate_ = 0;  // frames per second with one session less; 0: unknown
  double windowStart_ = 0;
  int64_t frames_ = 0;
};

// Grants encoder slots, first come, first served on the CPU and among hardware encoders. An encoder on the
// CPU uses as many threads and as much memory as one movie may, so one runs at a time; more run while cores
// stay idle and memory is left. Each device runs as many as DeviceSessions allows. Decoding and composing
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
  struct Running {
    int maxParallel = 0;
    std::string device;
  };
  struct Waiting {
    int64_t id;
    bool isHardware;
  };

  int runningOnCpu() const;
  // The device for the request, "" for the CPU, or nothing if it has to wait.
  std::optional<std::string> findPlace(const SlotRequest& request);
  void adjustSlotCount();
  void recordCoreUse();
  void release(int64_t id);
  int maxParallelEncoders(int64_t id);
  void addFrames(const std::string& device, int64_t frames);
  void noSession(const std::string& device);

  const ReadCounters readCounters_;
  EncoderSlotLimits limits_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::map<int64_t, Running> running_;  // by id
  std::map<std::string, DeviceSessions> devices_;
  int64_t lastId_ = 0;
  int slotCount_ = 1;
  unsigned checks_ = 0;
  ProcessCounters lastCounters_;
  CoreUse coreSeconds_;  // measured while all slots are in use; own and idle in core-seconds
};

}  // namespace framewright
