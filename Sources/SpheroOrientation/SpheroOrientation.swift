// Where a robot points and how it turns: an overview of the module.
//
// Rotation/     vectors, angles, quaternions, rotations; Euler angles, matrices, means, interpolation
// Conventions/  how Sphero, Bose Wearable, Core Motion and ROS report an attitude, and what tells them apart
// Heading/      the compass: clockwise headings, and true north by the World Magnetic Model
// Filters/      smoothing of sensor values
// Motion/       attitude from rates and accelerations
//
// Two frames run through the whole module:
// the body, x to the right, y forward, z up; and the reference, z up, y along heading 0, x to the right of it.
// An attitude is the `Rotation` that takes body coordinates to reference coordinates.
// Docs/Orientation.md draws every frame and says why each disputed point was decided as it was.
