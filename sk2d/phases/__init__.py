"""Floor 6: the two phases as LightningModules, and the callbacks that a run is watched with."""

from sk2d.phases.skeleton import SkeletonModule
from sk2d.phases.skin import SkinModule
from sk2d.phases.supervised import SupervisedModule

__all__ = ["SkeletonModule", "SkinModule", "SupervisedModule"]
