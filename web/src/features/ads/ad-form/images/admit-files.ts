import { LIMITS } from '../../../../../../contract/limits.ts';

interface Complaint {
  title: string;
  description: string;
}

export interface ImageRules {
  maxBytes: number;
  tooMany: Complaint;
  notAnImage: Complaint;
  tooLarge: Complaint;
}

export const CREATE_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesCreate,
  tooMany: { title: 'Maximum images reached', description: 'You can only upload up to 5 images per ad.' },
  notAnImage: { title: 'Invalid file type', description: 'Please select only image files.' },
  tooLarge: { title: 'File too large', description: 'Images must be less than 5MB each.' },
};

export const EDIT_RULES: ImageRules = {
  maxBytes: LIMITS.imageBytesEdit,
  tooMany: { title: 'Too many images', description: 'You can upload a maximum of 5 images.' },
  notAnImage: { title: 'Invalid file type', description: 'Please upload only image files.' },
  tooLarge: { title: 'File too large', description: 'Please upload images smaller than 10MB.' },
};

/** Which of the chosen files may join, and what to say about the first that may not. */
export const admitFiles = (files: File[], free: number, rules: ImageRules) => {
  const complaintOf = (file: File): Complaint | undefined => {
    if (!file.type.startsWith('image/')) return rules.notAnImage;
    return file.size > rules.maxBytes ? rules.tooLarge : undefined;
  };
  const fitting = files.filter((file) => !complaintOf(file));
  const complaint = files.map(complaintOf).find(Boolean) ?? (fitting.length > free ? rules.tooMany : undefined);
  return { accepted: fitting.slice(0, Math.max(0, free)), complaint };
};
