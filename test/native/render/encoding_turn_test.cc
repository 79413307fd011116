#include "render/encoding_turn.h"

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

constexpr TurnLimits kAuto{4, 16, int64_t{8} << 30};

void waitFor(const std::function<bool()>& happened) {
  for (int i = 0; i < 1000 && !happened(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  REQUIRE(happened());
}

// A process that has used so much of 16 cores for ever, as it looks to each reading a second later.
std::atomic<double> ownCores{0};
ProcessReading aSecondLater() {
  static std::atomic<int> seconds{0};
  const double now = ++seconds;
  static double own = 0, idle = 0;  // under the turns' lock
  own += ownCores;
  idle += 16 - ownCores;
  return {now, own, idle, int64_t{256} << 20};
}

}  // namespace

TEST_CASE("one encoder more where a quarter of the cores was idle, one less where others need them") {
  CHECK(turnsInReach(kAuto, 1, {1, 6, 10}) == 2);
  CHECK(turnsInReach(kAuto, 3, {1, 12, 4}) == 4);
  CHECK(turnsInReach(kAuto, 4, {1, 2, 14}) == 4);        // never more than allowed
  CHECK(turnsInReach(kAuto, 1, {0.9, 6, 10}) == 1);      // not looked at for long enough
  CHECK(turnsInReach(kAuto, 2, {1, 13, 3}) == 2);        // too little to gain
  CHECK(turnsInReach(kAuto, 2, {1, 6, 6}) == 3);         // others run, and there is room
  CHECK(turnsInReach(kAuto, 2, {1, 6, 0.5}) == 1);       // others have taken the room
  CHECK(turnsInReach(kAuto, 1, {1, 6, 0.5}) == 1);       // one has always its turn
  CHECK(turnsInReach(kAuto, 3, {1, 15.9, 0.1}) == 3);    // filled by this process itself
  CHECK(turnsInReach({4, 8, 0}, 1, {1, 7.5, 56}) == 1);  // of a host of 64 cores it may use 8
  CHECK(turnsInReach({3, 0, 0}, 3, {1, 16, 0}) == 3);    // told, not measured
}

TEST_CASE("there is room for one encoder more when it and a quarter of all memory are left") {
  constexpr int64_t kMegabyte = 1 << 20;
  const TurnLimits limits{4, 16, 1000 * kMegabyte};
  CHECK(hasRoom(limits, 1, {375 * kMegabyte, 10 * kMegabyte}));
  CHECK_FALSE(hasRoom(limits, 1, {376 * kMegabyte, 10 * kMegabyte}));  // a second one like the first
  CHECK(hasRoom(limits, 2, {500 * kMegabyte, 10 * kMegabyte}));
  CHECK_FALSE(hasRoom(limits, 1, {100 * kMegabyte, 700 * kMegabyte}));  // it has hardly begun
  CHECK(hasRoom(limits, 0, {2000 * kMegabyte, 700 * kMegabyte}));       // the first has its turn
}

TEST_CASE("encoders have their turns one after another, in the order of asking") {
  const CancelToken cancel;
  EncodingTurns turns;
  std::atomic<int> running{0}, most{0};
  std::vector<int> order;
  std::vector<std::thread> threads;
  {
    const auto first = turns.wait({}, cancel);
    CHECK(first.ok());
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        const auto turn = turns.wait({}, cancel);
        most = std::max<int>(most, ++running);
        order.push_back(i);  // the turn is the lock
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --running;
        CHECK(turn.value().mostAtOnce() == 1);
      });
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 1);
  CHECK(order == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("who waits for a turn can be cancelled, and the next goes on") {
  const CancelToken never;
  CancelToken cancel;
  EncodingTurns turns({2, 0, 0});
  std::thread waiting, behind;
  std::atomic<bool> isThrough{false};
  ErrorCode code{};
  {
    const auto first = turns.wait({}, never);
    auto second = std::make_unique<Result<EncodingTurn>>(turns.wait({}, never));
    waiting = std::thread([&] { code = turns.wait({0, true}, cancel).error().code; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    behind = std::thread([&] { isThrough = turns.wait({}, never).ok(); });
    // There is a place now, but not for the one who has asked first.
    second.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(isThrough);
    cancel.cancel();
    waiting.join();
    behind.join();
  }
  CHECK(code == ErrorCode::CANCELLED);
  CHECK(isThrough);
}

TEST_CASE("as many have their turn as are allowed, and each knows how many there were") {
  const CancelToken cancel;
  EncodingTurns turns({3, 0, 0});
  std::atomic<int> running{0}, most{0}, known{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto turn = turns.wait({}, cancel);
      for (int now = ++running, seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
      waitFor([&] { return most == 3; });
      known = std::max<int>(known, turn.value().mostAtOnce());
      --running;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(most == 3);
  CHECK(known == 3);
}

TEST_CASE("one that must be alone waits for all, and all for it") {
  const CancelToken never;
  CancelToken cancel;
  cancel.cancel();
  EncodingTurns turns({4, 0, 0});
  {
    const auto first = turns.wait({}, never);
    CHECK_FALSE(turns.wait({0, true}, cancel).ok());
  }
  const auto alone = turns.wait({0, true}, never);
  CHECK(alone.ok());
  CHECK_FALSE(turns.wait({}, cancel).ok());
}

TEST_CASE(
    "another has its turn beside the first when cores are seen idle and memory is left, and not before") {
  const CancelToken never;
  EncodingTurns turns(kAuto, aSecondLater);
  const auto first = turns.wait({}, never);
  const auto waitsWith = [&](double cores, const TurnWish& wish) {
    ownCores = cores;
    std::atomic<bool> isThrough{false};
    CancelToken enough;
    std::thread other([&] { isThrough = turns.wait(wish, enough).ok(); });
    for (int i = 0; i < 50 && !isThrough; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    enough.cancel();
    other.join();
    return !isThrough;
  };
  CHECK(waitsWith(15, {}));
  CHECK(waitsWith(4, {int64_t{7} << 30}));
  CHECK(first.value().mostAtOnce() == 1);
  const auto second = turns.wait({}, never);
  CHECK(first.value().mostAtOnce() == 2);
}

TEST_CASE("the counters of this process tell its work, and that time passes") {
  const ProcessReading before = readProcess();
  volatile double sum = 0;
  waitFor([&] {
    for (int i = 0; i < 100'000; ++i) sum = sum + i;
    return readProcess().ownSeconds > before.ownSeconds;
  });
  const ProcessReading after = readProcess();
  CHECK(after.seconds > before.seconds);
  CHECK(after.idleSeconds >= before.idleSeconds);
  CHECK(after.residentBytes > 1 << 20);
}
