#pragma once

#include <string>

namespace framewright::sandbox {

// Whether a layer was applied, and if not, why.
struct Outcome {
  bool ok = false;
  std::string reason;
};

Outcome success();
// Appends the text of errno.
Outcome failure(const std::string& what);

}  // namespace framewright::sandbox
