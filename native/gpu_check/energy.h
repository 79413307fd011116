#pragma once

#include <string>

namespace framewright {

// Energy that a card has used since its driver started, in joules, from NVIDIA's management library; 0:
// unknown. `device`: an index ("0") or a PCI address ("0000:01:00.0"). Any thread.
double energyUsed(const std::string& device);

}  // namespace framewright
