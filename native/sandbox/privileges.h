#pragma once

#include "sandbox/outcome.h"

namespace framewright::sandbox {

// Drops all capabilities, also for root; executed programs cannot gain any.
Outcome dropPrivileges();

// Enters an empty network namespace, without an active loopback interface.
Outcome leaveNetwork();

}  // namespace framewright::sandbox
