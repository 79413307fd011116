#include "render/encode/encoder_slots.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include <sched.h>
#include <unistd.h>

#include "core/stopwatch.h"
#include "render/render.h"

namespace framewright {
namespace {

constexpr std::chrono::milliseconds kCheckInterval{20};
constexpr int kChecksPerMeasurement = 10;
// One more encoder is worth its memory when a quarter of the cores is free for it.
constexpr double kMinIdleShare = 0.25;
constexpr double kBusyIdleShare = 0.05;
// The rest is for the growth of running segments, for audio and for other work.
constexpr double kMaxMemoryShare = 0.75;
// One more session is worth its memory when it raises the device's frames per second by this factor.
constexpr double kWorthwhileGain = 1.15;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Idle time and I/O wait.
double idleSeconds() {
  const File file(std::fopen("/proc/stat", "re"));
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (file == nullptr || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0;
  double ticks = 0;
  char line[512];
  while (std::fgets(line, sizeof line, file.get()) != nullptr) {
    unsigned core = 0;
    unsigned long long idle = 0, waiting = 0;
    if (std::sscanf(line, "cpu%u %*u %*u %*u %llu %llu", &core, &idle, &waiting) != 3) continue;
    if (core < CPU_SETSIZE && CPU_ISSET(core, &allowed)) ticks += static_cast<double>(idle + waiting);
  }
  return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
}

int64_t residentBytes() {
  const File file(std::fopen("/proc/self/statm", "re"));
  long long pages = 0;
  if (file == nullptr || std::fscanf(file.get(), "%*u %lld", &pages) != 1) return 0;
  return pages * sysconf(_SC_PAGESIZE);
}

}  // namespace

ProcessCounters readProcessCounters() {
  return {secondsOf(CLOCK_MONOTONIC), secondsOf(CLOCK_PROCESS_CPUTIME_ID), idleSeconds(), residentBytes()};
}

int adjustedSlotCount(const EncoderSlotLimits& limits, int slots, const CoreUse& use) {
  if (limits.cores <= 0) return limits.maxSlots;
  if (use.seconds < kSlotWindowSeconds) return slots;
  // The process may use fewer cores than the host has.
  const double idle = std::min(use.idle, limits.cores - use.own);
  if (idle >= kMinIdleShare * limits.cores) return std::min(limits.maxSlots, slots + 1);
  // When this process itself keeps the cores busy, fewer encoders would only be slower.
  const bool othersAreBusy = use.own < limits.cores / 2;
  return idle <= kBusyIdleShare * limits.cores && othersAreBusy ? std::max(1, slots - 1) : slots;
}

bool hasMemoryFor(const EncoderSlotLimits& limits, int running, int64_t residentBytes, int64_t neededBytes) {
  if (running == 0 || limits.memoryBytes == 0) return true;
  const int64_t needed = std::max(neededBytes, residentBytes / running);
  return static_cast<double>(residentBytes + needed) <=
         kMaxMemoryShare * static_cast<double>(limits.memoryBytes);
}

EncoderSlot::~EncoderSlot() {
  if (slots_ != nullptr) slots_->release(id_);
}

int EncoderSlot::maxParallelEncoders() const { return slots_->maxParallelEncoders(id_); }

void EncoderSlot::addFrames(int64_t frames) const { slots_->addFrames(device_, frames); }

void EncoderSlot::noSession() const { slots_->noSession(device_); }

void DeviceSessions::begin(double now) {
  ++running_;
  startWindow(now);
}

void DeviceSessions::end(double now) {
  --running_;
  startWindow(now);
}

void DeviceSessions::startWindow(double now) {
  windowStart_ = now;
  frames_ = 0;
}

void DeviceSessions::addFrames(int64_t frames, double now) {
  frames_ += frames;
  const double seconds = now - windowStart_;
  if (isSettled_ || running_ != limit_ || seconds < kSlotWindowSeconds) return;
  const double rate = static_cast<double>(frames_) / seconds;
  if (lastRate_ > 0 && rate < kWorthwhileGain * lastRate_) {
    --limit_;
    isSettled_ = true;
  } else if (limit_ == kMaxDeviceSessions) {
    isSettled_ = true;
  } else {
    ++limit_;
    lastRate_ = rate;
  }
  startWindow(now);
}

void DeviceSessions::noSession() {
  limit_ = std::max(1, running_ - 1);
  isSettled_ = true;
}

EncoderSlots& EncoderSlots::ofProcess() {
  static EncoderSlots instance;
  return instance;
}

void EncoderSlots::setLimits(const EncoderSlotLimits& limits) {
  limits_ = limits;
  slotCount_ = isMeasuring() ? 1 : limits.maxSlots;
}

Result<EncoderSlot> EncoderSlots::acquire(const SlotRequest& request, const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  const int64_t id = ++lastId_;
  const bool isHardware = !request.devices.empty();
  waiting_.push_back({id, isHardware});
  std::optional<std::string> place;
  const auto isNext = [&] {
    const auto first = std::ranges::find(waiting_, isHardware, &Waiting::isHardware);
    if (first->id == id) place = findPlace(request);
    return place.has_value();
  };
  const auto leave = [&] { std::erase_if(waiting_, [&](const Waiting& each) { return each.id == id; }); };
  while (!changed_.wait_for(lock, kCheckInterval, isNext)) {
    if (!cancel.cancelled()) continue;
    leave();
    changed_.notify_all();
    return cancelledError();
  }
  leave();
  recordCoreUse();
  running_[id] = {0, *place};
  if (isHardware) devices_[*place].begin(readCounters_().seconds);
  const int count = static_cast<int>(running_.size());
  for (auto& [other, running] : running_) running.maxParallel = std::max(running.maxParallel, count);
  changed_.notify_all();
  return EncoderSlot(*this, id, *place);
}

int EncoderSlots::runningOnCpu() const {
  return static_cast<int>(
      std::ranges::count_if(running_, [](const auto& each) { return each.second.device.empty(); }));
}

std::optional<std::string> EncoderSlots::findPlace(const SlotRequest& request) {
  const int running = static_cast<int>(running_.size());
  const auto hasMemory = [&] {
    return running == 0 || hasMemoryFor(limits_, running, readCounters_().residentBytes, request.bytes);
  };
  if (request.devices.empty()) {
    if (runningOnCpu() > 0) {
      adjustSlotCount();
      if (runningOnCpu() >= slotCount_) return std::nullopt;
    }
    return hasMemory() ? std::optional<std::string>("") : std::nullopt;
  }
  // The first of those with the fewest sessions.
  const auto best = std::ranges::min_element(
      request.devices, {}, [&](const std::string& device) { return devices_[device].running(); });
  if (!devices_[*best].hasRoom() || !hasMemory()) return std::nullopt;
  return *best;
}

// Measures only while all slots are in use: otherwise cores are idle because segments are missing, and
// another slot would not help.
void EncoderSlots::adjustSlotCount() {
  if (!isMeasuring() || runningOnCpu() != slotCount_ || ++checks_ % kChecksPerMeasurement != 0) return;
  recordCoreUse();
  const double seconds = coreSeconds_.seconds;
  if (seconds < kSlotWindowSeconds) return;
  const CoreUse use{seconds, coreSeconds_.own / seconds, coreSeconds_.idle / seconds};
  slotCount_ = adjustedSlotCount(limits_, slotCount_, use);
  coreSeconds_ = {};
}

void EncoderSlots::recordCoreUse() {
  if (!isMeasuring()) return;
  const ProcessCounters now = readCounters_();
  if (runningOnCpu() == slotCount_) {
    coreSeconds_.seconds += now.seconds - lastCounters_.seconds;
    coreSeconds_.own += now.ownSeconds - lastCounters_.ownSeconds;
    coreSeconds_.idle += now.idleSeconds - lastCounters_.idleSeconds;
  }
  lastCounters_ = now;
}

void EncoderSlots::release(int64_t id) {
  std::lock_guard lock(mutex_);
  recordCoreUse();
  const auto ended = running_.find(id);
  if (!ended->second.device.empty()) devices_[ended->second.device].end(readCounters_().seconds);
  running_.erase(ended);
  changed_.notify_all();
}

int EncoderSlots::maxParallelEncoders(int64_t id) {
  std::lock_guard lock(mutex_);
  return running_.at(id).maxParallel;
}

void EncoderSlots::addFrames(const std::string& device, int64_t frames) {
  if (device.empty() || frames == 0) return;
  std::lock_guard lock(mutex_);
  devices_[device].addFrames(frames, readCounters_().seconds);
}

void EncoderSlots::noSession(const std::string& device) {
  if (device.empty()) return;
  std::lock_guard lock(mutex_);
  devices_[device].noSession();
}

}  // namespace framewright
