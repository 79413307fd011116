#include "sandbox/outcome.h"

#include <cerrno>
#include <cstring>

namespace framewright::sandbox {

Outcome success() { return {true, ""}; }

Outcome failure(const std::string& what) { return {false, what + " (" + std::strerror(errno) + ")"}; }

}  // namespace framewright::sandbox
