#pragma once

#include <memory>
#include <string>

#include "speech/utterance.h"

namespace framewright::speech {

/// `voice` as flite names it (`slt`, `rms`). Null where the library or the voice is missing.
std::unique_ptr<Engine> openFlite(const std::string& voice, double speed);

}  // namespace framewright::speech
