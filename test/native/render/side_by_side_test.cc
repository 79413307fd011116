#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "render/still_shelf.h"

using namespace framewright;

namespace {

class AnyImage final : public PreparedImage {};

StillShelf::Load counted(std::atomic<int>& loads) {
  return [&loads]() -> Result<PreparedImagePtr> {
    ++loads;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return PreparedImagePtr(std::make_shared<AnyImage>());
  };
}

}  // namespace

TEST_CASE("a still that several ask for at once is made once") {
  StillShelf shelf;
  std::atomic<int> loads{0};
  std::vector<PreparedImagePtr> taken(4);
  std::vector<std::thread> threads;
  for (PreparedImagePtr& place : taken)
    threads.emplace_back([&] { place = shelf.take("photo", 1000, counted(loads)).take(); });
  for (std::thread& thread : threads) thread.join();
  CHECK(loads == 1);
  for (const PreparedImagePtr& picture : taken) CHECK(picture == taken[0]);
}

TEST_CASE("what is too large to keep stays known while somebody holds it") {
  StillShelf shelf;
  std::atomic<int> loads{0};
  constexpr int64_t kHuge = int64_t{1} << 40;
  auto held = shelf.take("photo", kHuge, counted(loads)).take();
  CHECK(shelf.take("photo", kHuge, counted(loads)).take() == held);
  CHECK(loads == 1);
  held.reset();
  CHECK(shelf.take("photo", kHuge, counted(loads)).ok());
  CHECK(loads == 2);
}

TEST_CASE("a still that cannot be made is tried anew") {
  StillShelf shelf;
  const auto broken = shelf.take("photo", 1, []() -> Result<PreparedImagePtr> {
    return Error{ErrorCode::DECODE_FAILED, "broken", ""};
  });
  CHECK(!broken.ok());
  std::atomic<int> loads{0};
  CHECK(shelf.take("photo", 1, counted(loads)).ok());
}

TEST_CASE("one shelf is shared while somebody has it") {
  auto shelf = StillShelf::ofProcess();
  CHECK(StillShelf::ofProcess() == shelf);
  std::atomic<int> loads{0};
  CHECK(shelf->take("photo", 1, counted(loads)).ok());
  shelf.reset();
  CHECK(StillShelf::ofProcess()->take("photo", 1, counted(loads)).ok());
  CHECK(loads == 2);
}

TEST_CASE("stills of another size are others") {
  CHECK(StillShelf::keyOf("/dev/null", 10, 20) == StillShelf::keyOf("/dev/null", 10, 20));
  CHECK(StillShelf::keyOf("/dev/null", 10, 20) != StillShelf::keyOf("/dev/null", 20, 10));
}
