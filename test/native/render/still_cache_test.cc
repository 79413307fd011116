#include "render/sources/still_cache.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

using namespace framewright;

namespace {

class AnyImage final : public PreparedImage {};

StillCache::Load counted(std::atomic<int>& loads) {
  return [&loads]() -> Result<PreparedImagePtr> {
    ++loads;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return PreparedImagePtr(std::make_shared<AnyImage>());
  };
}

}  // namespace

TEST_CASE("still cache: concurrent requests prepare a still once") {
  StillCache cache;
  std::atomic<int> loads{0};
  std::vector<PreparedImagePtr> stills(4);
  std::vector<std::thread> threads;
  for (PreparedImagePtr& still : stills)
    threads.emplace_back([&] { still = cache.get("photo", 1000, counted(loads)).take(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(loads == 1);
  for (const PreparedImagePtr& still : stills) CHECK(still == stills[0]);
}

TEST_CASE("still cache: a still beyond the size limit is shared while it has an owner") {
  StillCache cache;
  std::atomic<int> loads{0};
  constexpr int64_t kHuge = int64_t{1} << 40;
  auto owned = cache.get("photo", kHuge, counted(loads)).take();
  CHECK(cache.get("photo", kHuge, counted(loads)).take() == owned);
  CHECK(loads == 1);
  owned.reset();
  CHECK(cache.get("photo", kHuge, counted(loads)).ok());
  CHECK(loads == 2);
}

TEST_CASE("still cache: failures are not cached") {
  StillCache cache;
  const auto broken = cache.get("photo", 1, []() -> Result<PreparedImagePtr> {
    return Error{ErrorCode::DECODE_FAILED, "broken", ""};
  });
  CHECK(!broken.ok());
  std::atomic<int> loads{0};
  CHECK(cache.get("photo", 1, counted(loads)).ok());
}

TEST_CASE("still cache: the process's cache lives while it has an owner") {
  auto cache = StillCache::ofProcess();
  CHECK(StillCache::ofProcess() == cache);
  std::atomic<int> loads{0};
  CHECK(cache->get("photo", 1, counted(loads)).ok());
  cache.reset();
  CHECK(StillCache::ofProcess()->get("photo", 1, counted(loads)).ok());
  CHECK(loads == 2);
}

TEST_CASE("still cache: the key contains the drawn size") {
  CHECK(StillCache::keyOf("/dev/null", 10, 20) == StillCache::keyOf("/dev/null", 10, 20));
  CHECK(StillCache::keyOf("/dev/null", 10, 20) != StillCache::keyOf("/dev/null", 20, 10));
}

TEST_CASE("still cache: memory that runs out while a still is prepared is an error, and the next caller tries again") {
  StillCache cache;
  const auto broken = cache.get("photo", 1, []() -> Result<PreparedImagePtr> { throw std::bad_alloc(); });
  REQUIRE(!broken.ok());
  CHECK(broken.error().code == ErrorCode::OUT_OF_MEMORY);
  std::atomic<int> loads{0};
  CHECK(cache.get("photo", 1, counted(loads)).ok());
}
