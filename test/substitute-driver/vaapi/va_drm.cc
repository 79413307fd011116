#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <va/va_backend.h>
#include <va/va_drm.h>
#include <va/va_drmcommon.h>

// libva-drm without a DRM device: its one function takes any open file as a render node, and names the
// substitute driver. libva itself is the real one and opens the driver from LIBVA_DRIVERS_PATH.

extern "C" {

// Exported by libva for its display libraries.
VADisplayContextP va_newDisplayContext(void);
VADriverContextP va_newDriverContext(VADisplayContextP display);

VADisplay vaGetDisplayDRM(int fd) {
  if (fcntl(fd, F_GETFD) < 0) return nullptr;
  VADisplayContextP const display = va_newDisplayContext();
  VADriverContextP const driver = display == nullptr ? nullptr : va_newDriverContext(display);
  if (driver == nullptr) return nullptr;
  display->vaIsValid = [](VADisplayContextP context) { return context->pDriverContext != nullptr ? 1 : 0; };
  display->vaDestroy = [](VADisplayContextP context) {
    std::free(context->pDriverContext->drm_state);
    std::free(context->pDriverContext);
    std::free(context);
  };
  display->vaGetNumCandidates = [](VADisplayContextP, int* count) {
    *count = 1;
    return VAStatus(VA_STATUS_SUCCESS);
  };
  display->vaGetDriverNameByIndex = [](VADisplayContextP, char** name, int) {
    *name = strdup("substitute");
    return VAStatus(VA_STATUS_SUCCESS);
  };
  display->vaGetDriverName = [](VADisplayContextP, char** name) {
    *name = strdup("substitute");
    return VAStatus(VA_STATUS_SUCCESS);
  };
  auto* const state = static_cast<drm_state*>(std::calloc(1, sizeof(drm_state)));
  state->fd = fd;
  state->auth_type = VA_DRM_AUTH_CUSTOM;
  driver->drm_state = state;
  driver->display_type = VA_DISPLAY_DRM_RENDERNODES;
  return display;
}

}  // extern "C"
