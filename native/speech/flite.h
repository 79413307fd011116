#pragma once

#include <memory>
#include <string>

#include "speech/utterance.h"

namespace framewright::speech {

// `voice` is flite's name (`slt`, `rms`), `speed` a factor. Null if the library or the voice is missing.
std::unique_ptr<Engine> openFlite(const std::string& voice, double speed);

}  // namespace framewright::speech
