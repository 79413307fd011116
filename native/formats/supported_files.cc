#include "formats/supported_files.h"

#include <string>

namespace framewright {

Status checkLength(int64_t lengthUs) {
  constexpr int64_t kMicrosecondsPerSecond = 1'000'000;
  if (lengthUs <= kMaxMediaSeconds * kMicrosecondsPerSecond) return {};
  return Error{
      ErrorCode::MEDIA_UNSUPPORTED,
      "it lasts " + std::to_string(lengthUs / kMicrosecondsPerSecond) + " s; at most 24 hours are allowed",
      ""};
}

}  // namespace framewright
