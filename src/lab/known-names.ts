/** Names of the field and of this project that the lab's rules speak of. */

/** The driver that fails on request, by a parameter of the claim's class. */
export const FAULTY_DRIVER = 'disk.csi.after-bound.dev';

/** The taint with which a person says that a node is off for good. Reference: node-down. */
export const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';

/** The key of the taint that the lab's own action puts on a node. */
export const READER_TAINT = 'after-bound.dev/keep-out';

/** The provisioner of a class whose volumes are all made by hand. */
export const NO_PROVISIONER = 'kubernetes.io/no-provisioner';
