#pragma once

#include <memory>
#include <string>

#include "speech/utterance.h"

namespace framewright::speech {

// `voice` is espeak-ng's name (`de`, `en-us+f3`), `speed` a factor. Null if the library or the voice is
// missing.
std::unique_ptr<Engine> openEspeak(const std::string& voice, double speed);

}  // namespace framewright::speech
