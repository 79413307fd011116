#include "core/this_thread.h"

#include <algorithm>
#include <thread>

#include <doctest/doctest.h>
#include <sys/resource.h>

using namespace framewright;

namespace {

int niceness() { return getpriority(PRIO_PROCESS, 0); }

}  // namespace

TEST_CASE("a thread that lets others first is nicer by 10, with those that it starts, and no other is") {
  const int before = niceness();
  const int most = std::min(before + 10, 19);
  int inside = before, started = before;
  std::thread([&] {
    letOthersFirst();
    inside = niceness();
    std::thread([&] { started = niceness(); }).join();
  }).join();
  CHECK(inside == most);
  CHECK(started == most);
  CHECK(niceness() == before);
}
