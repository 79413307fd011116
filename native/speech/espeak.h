#pragma once

#include <memory>
#include <string>

#include "speech/utterance.h"

namespace framewright::speech {

/// `voice` as espeak-ng names it (`de`, `en-us+f3`). Null where the library or the voice is missing.
std::unique_ptr<Engine> openEspeak(const std::string& voice, double speed);

}  // namespace framewright::speech
