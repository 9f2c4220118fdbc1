// The commit that the executable was built from; the manifest passes it on.

#pragma once

/// Returns the first seven digits of the commit, or an empty string.
const char *virga_build_commit(void);
