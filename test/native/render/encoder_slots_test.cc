#include "render/encode/encoder_slots.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

constexpr EncoderSlotLimits kAuto{4, 16, int64_t{8} << 30};

void waitFor(const std::function<bool()>& happened) {
  for (int i = 0; i < 1000 && !happened(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(happened());
}

// Counters of a process that uses `ownCores` of 16 cores; each reading is one second later.
std::atomic<double> ownCores{0};
ProcessCounters oneSecondLater() {
  static std::atomic<int> seconds{0};
  const double now = ++seconds;
  static double own = 0, idle = 0;  // guarded by the lock of EncoderSlots
  own += ownCores;
  idle += 16 - ownCores;
  return {now, own, idle, int64_t{256} << 20};
}

}  // namespace

TEST_CASE(
    "encoder slots: one more while a quarter of the cores is idle, one less while other processes need "
    "them") {
  CHECK(adjustedSlotCount(kAuto, 1, {1, 6, 10}) == 2);
  CHECK(adjustedSlotCount(kAuto, 3, {1, 12, 4}) == 4);
  CHECK(adjustedSlotCount(kAuto, 4, {1, 2, 14}) == 4);        // at the maximum
  CHECK(adjustedSlotCount(kAuto, 1, {0.9, 6, 10}) == 1);      // measured too briefly
  CHECK(adjustedSlotCount(kAuto, 2, {1, 13, 3}) == 2);        // too few idle cores
  CHECK(adjustedSlotCount(kAuto, 2, {1, 6, 6}) == 3);         // other processes run, but cores are idle
  CHECK(adjustedSlotCount(kAuto, 2, {1, 6, 0.5}) == 1);       // other processes use the cores
  CHECK(adjustedSlotCount(kAuto, 1, {1, 6, 0.5}) == 1);       // at the minimum
  CHECK(adjustedSlotCount(kAuto, 3, {1, 15.9, 0.1}) == 3);    // busy with this process
  CHECK(adjustedSlotCount({4, 8, 0}, 1, {1, 7.5, 56}) == 1);  // may use 8 of the host's 64 cores
  CHECK(adjustedSlotCount({3, 0, 0}, 3, {1, 16, 0}) == 3);    // without measuring
}

TEST_CASE("encoder slots: another encoder needs its memory and a quarter of the limit") {
  constexpr int64_t kMegabyte = 1 << 20;
  const EncoderSlotLimits limits{4, 16, 1000 * kMegabyte};
  CHECK(hasMemoryFor(limits, 1, 375 * kMegabyte, 10 * kMegabyte));
  CHECK_FALSE(hasMemoryFor(limits, 1, 376 * kMegabyte, 10 * kMegabyte));  // as large as the first
  CHECK(hasMemoryFor(limits, 2, 500 * kMegabyte, 10 * kMegabyte));
  CHECK_FALSE(hasMemoryFor(limits, 1, 100 * kMegabyte, 700 * kMegabyte));  // the first has just started
  CHECK(hasMemoryFor(limits, 0, 2000 * kMegabyte, 700 * kMegabyte));       // none runs
}

TEST_CASE("encoder slots: are granted one after another, in the order of requests") {
  const CancelToken cancel;
  EncoderSlots slots;
  std::atomic<int> running{0}, maxRunning{0};
  std::vector<int> order;
  std::vector<std::thread> threads;
  {
    const auto first = slots.acquire({}, cancel);
    CHECK(first.ok());
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        const auto slot = slots.acquire({}, cancel);
        maxRunning = std::max<int>(maxRunning, ++running);
        order.push_back(i);  // guarded by the slot
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --running;
        CHECK(slot.value().maxParallelEncoders() == 1);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(maxRunning == 1);
  CHECK(order == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("encoder slots: cancelling a waiting request lets the next one proceed") {
  const CancelToken never;
  CancelToken cancel;
  constexpr int64_t kTooManyBytes = int64_t{1} << 40;
  EncoderSlots slots({2, 0, int64_t{8} << 30});
  std::thread waiting, behind;
  std::atomic<bool> isGranted{false};
  ErrorCode code{};
  {
    const auto first = slots.acquire({}, never);
    auto second = std::make_unique<Result<EncoderSlot>>(slots.acquire({}, never));
    waiting = std::thread([&] { code = slots.acquire({kTooManyBytes}, cancel).error().code; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    behind = std::thread([&] { isGranted = slots.acquire({}, never).ok(); });
    // A slot is free, but the first waiting request needs more memory than is left.
    second.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(isGranted);
    cancel.cancel();
    waiting.join();
    behind.join();
  }
  CHECK(code == ErrorCode::CANCELLED);
  CHECK(isGranted);
}

TEST_CASE("encoder slots: as many as allowed run at once, and each reports their number") {
  const CancelToken cancel;
  EncoderSlots slots({3, 0, 0});
  std::atomic<int> running{0}, maxRunning{0}, reported{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto slot = slots.acquire({}, cancel);
      for (int now = ++running, seen = maxRunning;
           now > seen && !maxRunning.compare_exchange_weak(seen, now);)
        continue;
      waitFor([&] { return maxRunning == 3; });
      reported = std::max<int>(reported, slot.value().maxParallelEncoders());
      --running;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(maxRunning == 3);
  CHECK(reported == 3);
}

TEST_CASE("encoder slots: hardware encoders go to the card with the fewest, and wait for none on the CPU") {
  const CancelToken never;
  CancelToken cancel;
  EncoderSlots slots({1, 0, 0});
  const SlotRequest cards{0, {"cuda:1", "cuda:0"}}, one{0, {"cuda:0"}};
  const auto onCpu = slots.acquire({}, never);
  CHECK(onCpu.value().device().empty());
  const auto first = slots.acquire(cards, never), second = slots.acquire(cards, never);
  CHECK(first.value().device() == "cuda:1");
  CHECK(second.value().device() == "cuda:0");
  auto third = std::make_unique<Result<EncoderSlot>>(slots.acquire(cards, never));
  CHECK(third->value().device() == "cuda:1");
  const auto fourth = slots.acquire(one, never);
  CHECK(fourth.value().device() == "cuda:0");
  CHECK(fourth.value().maxParallelEncoders() == 5);
  // Both cards have two sessions.
  cancel.cancel();
  CHECK_FALSE(slots.acquire(cards, cancel).ok());
  third.reset();
  CHECK_FALSE(slots.acquire(one, cancel).ok());
  CHECK(slots.acquire(cards, never).value().device() == "cuda:1");
}

TEST_CASE("device sessions: rise while the frames per second do, and stay at what the driver opens") {
  DeviceSessions sessions;
  const auto run = [&](double from, double framesPerSecond) {
    sessions.addFrames(static_cast<int64_t>(framesPerSecond * 1.5), from + 1.5);
  };
  sessions.begin(0);
  run(0, 500);  // one alone tells nothing about two
  CHECK(sessions.limit() == 2);
  sessions.begin(10);
  sessions.addFrames(100, 10.5);  // measured too briefly
  CHECK(sessions.limit() == 2);
  run(10, 900);
  CHECK(sessions.limit() == 3);
  sessions.begin(20);
  CHECK_FALSE(sessions.hasRoom());
  run(20, 1300);
  CHECK(sessions.limit() == 4);
  sessions.begin(30);
  run(30, 1310);  // the card's encoders are busy
  CHECK(sessions.limit() == 3);
  sessions.end(40);
  run(40, 3000);
  CHECK(sessions.limit() == 3);

  DeviceSessions few;
  few.begin(0);
  few.begin(0);
  few.noSession();
  few.end(1);
  CHECK(few.limit() == 1);
  CHECK_FALSE(few.hasRoom());
}

TEST_CASE("encoder slots: a second one is granted while cores are idle and memory is left") {
  const CancelToken never;
  EncoderSlots slots(kAuto, oneSecondLater);
  const auto first = slots.acquire({}, never);
  const auto isRefused = [&](double cores, const SlotRequest& request) {
    ownCores = cores;
    std::atomic<bool> isGranted{false};
    CancelToken timeout;
    std::thread other([&] { isGranted = slots.acquire(request, timeout).ok(); });
    for (int i = 0; i < 50 && !isGranted; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    timeout.cancel();
    other.join();
    return !isGranted;
  };
  CHECK(isRefused(15, {}));
  CHECK(isRefused(4, {int64_t{7} << 30}));
  CHECK(first.value().maxParallelEncoders() == 1);
  const auto second = slots.acquire({}, never);
  CHECK(first.value().maxParallelEncoders() == 2);
}

TEST_CASE("process counters: rise with time and with the process's own work") {
  const ProcessCounters before = readProcessCounters();
  volatile double sum = 0;
  waitFor([&] {
    for (int i = 0; i < 100'000; ++i) sum = sum + i;
    return readProcessCounters().ownSeconds > before.ownSeconds;
  });
  const ProcessCounters after = readProcessCounters();
  CHECK(after.seconds > before.seconds);
  CHECK(after.idleSeconds >= before.idleSeconds);
  CHECK(after.residentBytes > 1 << 20);
}
