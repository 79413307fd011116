#pragma once

#include <string>

namespace framewright::sandbox {

// Whether a layer is on; when not, why.
struct Outcome {
  bool ok = false;
  std::string reason;
};

Outcome success();
// With the text of errno.
Outcome failure(const std::string& what);

}  // namespace framewright::sandbox
