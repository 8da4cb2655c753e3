// An overview of the module: attitude and rotation of a robot.
//
// Rotation/     vectors, angles, quaternions, rotations; Euler angles, matrices, means, interpolation
// Conventions/  how Sphero, Bose Wearable, Core Motion and ROS report an attitude, and how to identify a convention
// Heading/      the compass: clockwise headings, and true north by the World Magnetic Model
// Filters/      smoothing of sensor values
// Motion/       attitude from rates and accelerations
//
// The module uses two frames:
// the body, x to the right, y forward, z up; and the reference, z up, y along heading 0, x to the right of it.
// An attitude is the `Rotation` that takes body coordinates to reference coordinates.
// Docs/Orientation.md shows every frame and explains the decision on each disputed point.
