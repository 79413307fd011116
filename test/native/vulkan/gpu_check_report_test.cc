#include "gpu_check/report.h"
#include "vulkan/software_device.h"

namespace framewright {

TEST_CASE("gpu_check: a report contains failures and results") {
  Report report(false);
  vulkan::DeviceProperties device;
  device.name = "A \"card\"";
  report.addDevice(1, device);
  report.addOpening({0.25, 0.125, 1});
  report.addParity({.cases = 2, .largestDifference = 1});
  report.addDeepParity({.cases = 4, .hostFrames = 1, .largestDifference = 2, .chromaDifference = 0.25});
  report.addSharing({"", "No semaphores.", "Not \"given\" out.", 128});
  report.addCopies(2e9, 1e9);
  report.addFailure("1 layers of 1920 x 1080", {ErrorCode::OUT_OF_MEMORY, "No memory.", "vkAllocateMemory"});
  CHECK_FALSE(report.isGood());
  report.addSpeed(
      {.width = 16, .height = 8, .layers = 4, .deviceSeconds = 0.5, .frameSeconds = 1, .cpuSeconds = 2});
  CHECK(
      report.json() ==
      R"({"index":1,"type":"other","driverVersion":0,"memory":0,"name":"A \"card\"","missing":"",)"
      R"("opening":{"instanceSeconds":0.2500,"deviceSeconds":0.1250,"firstFrameSeconds":1.0000},)"
      R"("parity":{"cases":2,"wrong":0,"largestDifference":1,"minSimilarity":1.000000,"firstFailure":""},)"
      R"("deepParity":{"cases":4,"wrong":0,"hostFrames":1,"largestDifference":2,"chromaDifference":0.250000,)"
      R"("firstFailure":""},)"
      R"("sharing":{"opaque":"","timeline":"No semaphores.","dmaBuf":"Not \"given\" out.","renderNode":128},)"
      R"("copyBytesPerSecond":2000000000,"readBackBytesPerSecond":1000000000,)"
      R"("speed":[{"width":16,"height":8,"layers":4,"bits":8,"deviceSeconds":0.500000000,"frameSeconds":1.000000000,)"
      R"("cpuSeconds":2.000000000,"joulesPerFrame":0.00000,"movedBytes":0,"shareOfCopy":0.00000}],)"
      R"("errors":["1 layers of 1920 x 1080: No memory. vkAllocateMemory"]})");
}

TEST_CASE("gpu_check: compares frames of 10 bits with the CPU's") {
  SoftwareDevice software;
  const DeepParityResult found = checkDeepParity(software.device, 20);
  CHECK(found.cases == 20);
  CHECK(found.wrong == 0);
  CHECK(found.hostFrames < 10);
  CHECK(found.firstFailure == "");
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

TEST_CASE("gpu_check: reports whether frames can be shared with encoders") {
  SoftwareDevice software;
  const SharingResult found = checkSharing(software.device);
  CHECK(found.opaque.empty() == software.device->exports(FramePlace::kOpaque));
  CHECK(found.timeline.empty() == software.device->exports(FramePlace::kOpaqueTimeline));
  CHECK(found.dmaBuf.empty() == software.device->exports(FramePlace::kDmaBuf));
  INFO(software.firstMessage());
  CHECK(software.messages.empty());
}

}  // namespace framewright
