#pragma once

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// No capabilities, also for root, and no program that is started gains any.
Outcome dropPrivileges();

// Into a network namespace in which there is nothing, not even a loopback that is up.
Outcome leaveNetwork();

}  // namespace framewright::sandbox
