#include <cstdlib>
#include <cstring>

#include "targets/targets.h"

// libFuzzer's entry point. FRAMEWRIGHT_FUZZ_TARGET selects the target, so that one build serves all.
namespace {

framewright::fuzz::Run chosen() {
  const char* name = std::getenv("FRAMEWRIGHT_FUZZ_TARGET");
  for (const auto& target : framewright::fuzz::targets()) {
    if (name != nullptr && std::strcmp(name, target.name) == 0) return target.run;
  }
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const framewright::fuzz::Run run = chosen();
  run({bytes, size});
  return 0;
}
